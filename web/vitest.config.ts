import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineProject } from 'vitest/config'

export default defineProject({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: {
    alias: [
      // Tests run under Node, and the Node build of tus-js-client doesn't accept a File.
      { find: 'tus-js-client', replacement: 'tus-js-client/lib.esm/browser/index.js' },
      // The elements of the video's controls need text tracks and parts, which jsdom lacks. e2e/media.spec.ts tests them.
      { find: /^media-chrome\/.*/, replacement: fileURLToPath(new URL('testing/no-elements.ts', import.meta.url)) },
    ],
  },
  test: {
    name: 'web',
    include: ['**/*.test.{ts,tsx}'],
    exclude: ['node_modules/**', 'dist/**'],
    environment: 'jsdom',
    pool: 'forks',
    // One document and one copy of the packages for all files of a worker: creating both again costs more than most files' tests.
    isolate: false,
    maxWorkers: 4, // the same value as in ../vitest.config.ts, or the two don't share their workers
    setupFiles: ['testing/fresh-modules.ts', 'testing/setup.ts'],
    sequence: { setupFiles: 'list' },
    css: { modules: { classNameStrategy: 'non-scoped' } },
    testTimeout: 60_000,
  },
})
