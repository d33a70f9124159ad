import react from '@vitejs/plugin-react'
import { defineProject } from 'vitest/config'

export default defineProject({
  root: import.meta.dirname,
  plugins: [react()],
  // Tests run under Node, whose build of it takes no File.
  resolve: { alias: { 'tus-js-client': 'tus-js-client/lib.esm/browser/index.js' } },
  test: {
    name: 'web',
    include: ['**/*.test.{ts,tsx}'],
    exclude: ['node_modules/**', 'dist/**'],
    environment: 'jsdom',
    pool: 'forks',
    // One document and one copy of the packages for all files of a worker: making both anew costs more than most files' tests.
    isolate: false,
    maxWorkers: 3, // as in ../vitest.config.ts: the two share their workers only where they say the same
    setupFiles: ['testing/fresh-modules.ts', 'testing/setup.ts'],
    sequence: { setupFiles: 'list' },
    css: { modules: { classNameStrategy: 'non-scoped' } },
    testTimeout: 60_000,
  },
})
