import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findBrowser, findFfmpeg, findPostgres, findRedis } from './find-program.ts'
import { root, runNode } from './run.ts'

/** `npm test`: unit and integration tests, then the journeys in a real browser. What is missing fails; it never skips. */
const programs = {
  CHROMIUM_PATH: findBrowser(),
  REDIS_SERVER_PATH: findRedis(),
  POSTGRES_PATH: findPostgres(),
  FFMPEG_PATH: findFfmpeg(),
}
const results = join(root, 'test-output')
rmSync(results, { recursive: true, force: true })

const vitest = await runNode(
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile=${join(results, 'vitest.json')}`,
  ],
  { env: programs },
)
const playwright = await runNode(['node_modules/@playwright/test/cli.js', 'test', '-c', 'e2e/playwright.config.ts'], {
  env: programs,
})

type VitestReport = { numPassedTests: number; numFailedTests: number }
type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number } }
const units: VitestReport = JSON.parse(readFileSync(join(results, 'vitest.json'), 'utf8'))
const { stats }: PlaywrightReport = JSON.parse(readFileSync(join(results, 'playwright.json'), 'utf8'))
// A journey that passes at the second try only is not a passed one.
console.log(
  `\n${units.numPassedTests + stats.expected} passed, ${units.numFailedTests + stats.unexpected + stats.flaky} failed`,
)
process.exitCode = vitest.code || playwright.code || (stats.flaky > 0 ? 1 : 0)
