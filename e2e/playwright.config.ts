import { defineConfig, devices } from '@playwright/test'

/** Journeys in Chromium against a product of their own: its own DATA_DIR, its own port, nothing of the developer's. */
export default defineConfig({
  testDir: '.',
  outputDir: '../test-output/browser',
  snapshotDir: '../test-output/screenshots',
  globalSetup: './start-product.ts',
  // Each file in order, two files at a time: they share one product, so each has people of its own, or only looks.
  fullyParallel: false,
  workers: 2,
  retries: 0,
  timeout: 240_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: '../test-output/playwright.json' }]],
  use: {
    ...devices['Desktop Chrome'],
    baseURL: process.env.E2E_URL,
    actionTimeout: 30_000,
    // A trace writes down the page at every step of every test, which slows all of them down: only on request.
    trace: process.env.TRACE === '1' ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
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
