import { existsSync } from 'node:fs'
import { defineConfig, devices } from '@playwright/test'

/** Where Debian puts them. `npm test` passes the path. */
const browsers = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** Runs the tests in Chromium against an installation of their own, with its own DATA_DIR and port. */
export default defineConfig({
  testDir: '.',
  outputDir: '../test-output/browser',
  snapshotDir: '../test-output/screenshots',
  globalSetup: './start-product.ts',
  // Three files at a time, each in order: they wait a third of their time. They share one installation, so each has its own users or only
  // reads.
  fullyParallel: false,
  workers: 3,
  retries: 0,
  timeout: 240_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json', { outputFile: '../test-output/playwright.json' }]],
  use: {
    ...devices['Desktop Chrome'],
    baseURL: process.env.E2E_URL,
    actionTimeout: 30_000,
    // The shell asks nobody, so it would never copy a link.
    permissions: ['clipboard-read', 'clipboard-write'],
    // It would load a release's files in each new browser context. Tests of it allow it.
    serviceWorkers: 'block',
    // A trace records the page at every step, which slows down all tests, so it is opt-in.
    trace: process.env.TRACE === '1' ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? browsers.find((path) => existsSync(path)),
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
