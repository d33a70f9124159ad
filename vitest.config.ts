import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          include: ['{contract,sandbox,server,database,scripts,bench}/**/*.test.ts'],
          environment: 'node',
          pool: 'forks',
          maxWorkers: 2,
          testTimeout: 20_000,
          hookTimeout: 60_000,
          globalSetup: ['server/testing/global-setup.ts'],
        },
      },
      'web/vitest.config.ts',
    ],
  },
})
