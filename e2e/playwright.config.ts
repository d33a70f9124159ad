import { defineConfig, devices } from '@playwright/test'

/** Journeys in Chromium against a product of their own: its own DATA_DIR, its own port, nothing of the developer's. */
export default defineConfig({
  testDir: '.',
  outputDir: '../test-output/browser',
  snapshotDir: '../test-output/screenshots',
  globalSetup: './start-product.ts',
  fullyParallel: false,
  workers: 1,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: '../test-output/playwright.json' }]],
  use: {
    ...devices['Desktop Chrome'],
    baseURL: process.env.E2E_URL,
    actionTimeout: 15_000,
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
