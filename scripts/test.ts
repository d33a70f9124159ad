import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installComparedGateways } from '../compared-gateways/install-compared-gateways.ts'
import { findPrograms } from '../server/testing/find-program.ts'
import { endDescendantsWithThisProcess } from '../testing/end-with-run.ts'
import { root, runNode } from './run.ts'
import { type Report, readPlaywright } from './test-report.ts'

/**
 * `npm test`: unit and integration tests, then the journeys in a real browser. Missing programs fail the run; nothing is skipped. Nothing runs
 * twice: a test that fails is red, and its name is in the list at the end.
 */
endDescendantsWithThisProcess()

// Installed before the first test: two test files that install at once would fight over the package lists.
const programs = findPrograms()
await installComparedGateways()
const results = join(root, 'test-output')
rmSync(results, { recursive: true, force: true })

type Outcome = { readonly code: number; readonly report: Report }

async function runVitest(): Promise<Outcome> {
  const file = join(results, 'vitest.json')
  const reporters = ['--reporter=default', '--reporter=./scripts/vitest-reporter.ts']
  const env = { ...programs, TEST_REPORT: file }
  const { code } = await runNode(['node_modules/vitest/vitest.mjs', 'run', ...reporters], { env })
  return { code, report: JSON.parse(readFileSync(file, 'utf8')) }
}

async function runPlaywright(): Promise<Outcome> {
  const command = ['node_modules/@playwright/test/cli.js', 'test', '-c', 'e2e/playwright.config.ts']
  const { code } = await runNode(command, { env: programs })
  return { code, report: readPlaywright(join(results, 'playwright.json'), root) }
}

const outcomes = [await runVitest(), await runPlaywright()]
const failures = outcomes.flatMap(({ report }) => report.failures)
const passed = outcomes.reduce((sum, { report }) => sum + report.passed, 0)
const strayErrors = outcomes.reduce((sum, { report }) => sum + report.strayErrors, 0)
const slowest = outcomes
  .flatMap(({ report }) => Object.entries(report.seconds))
  .toSorted(([, one], [, other]) => other - one)
  .slice(0, 15)
console.log('\nslowest files')
for (const [file, seconds] of slowest) console.log(`${seconds.toFixed(0).padStart(5)} s  ${file}`)
for (const { file, title } of failures) console.log(`failed    ${file}: ${title}`)
if (strayErrors > 0) console.log(`failed    ${strayErrors} errors that belong to no test: see above`)
console.log(`\n${passed} passed, ${failures.length} failed`)
process.exitCode = outcomes.find(({ code }) => code !== 0)?.code ?? (failures.length + strayErrors > 0 ? 1 : 0)
