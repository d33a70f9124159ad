import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // For both projects together. Twice the two cores it is measured on: many tests wait, for a token to end or a server to start.
    maxWorkers: 4,
    projects: [
      {
        test: {
          name: 'node',
          include: ['{contract,sandbox,server,database,scripts,bench,testing}/**/*.test.ts'],
          environment: 'node',
          pool: 'forks',
          // The files of one worker share its modules: loading the server costs more than most files' tests. A file that
          // stubs a global or a clock takes it back itself.
          isolate: false,
          // Far above what any test takes: a busy machine is no failure.
          testTimeout: 60_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 20_000 } },
          globalSetup: ['server/testing/global-setup.ts'],
        },
      },
      'web/vitest.config.ts',
    ],
  },
})
