import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findBrowser, findFfmpeg, findPostgres, findRedis } from './find-program.ts'
import { root, runNode } from './run.ts'
import { type Failure, type Report, readPlaywright } from './test-report.ts'

/**
 * `npm test`: unit and integration tests, then the journeys in a real browser. What is missing fails; it never skips.
 *
 * A file that fails is run once more, after all others and one file at a time. What passes then depends on how busy the
 * machine is: it is named as unsteady, to be mended, and does not fail the run. What fails twice does.
 */
const programs = {
  CHROMIUM_PATH: findBrowser(),
  REDIS_SERVER_PATH: findRedis(),
  POSTGRES_PATH: findPostgres(),
  FFMPEG_PATH: findFfmpeg(),
}
const results = join(root, 'test-output')
rmSync(results, { recursive: true, force: true })

type Outcome = { readonly code: number; readonly report: Report }
type Runner = (files: readonly string[]) => Promise<Outcome>

const runVitest: Runner = async (files) => {
  const file = join(results, 'vitest.json')
  const reporters = ['--reporter=default', '--reporter=./scripts/vitest-reporter.ts']
  const alone = files.length > 0 ? ['--maxWorkers=1', ...files] : []
  const { code } = await runNode(['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...alone], {
    env: { ...programs, TEST_REPORT: file },
  })
  return { code, report: JSON.parse(readFileSync(file, 'utf8')) }
}

const runPlaywright: Runner = async (files) => {
  const command = ['node_modules/@playwright/test/cli.js', 'test', '-c', 'e2e/playwright.config.ts']
  const alone = files.length > 0 ? ['--workers=1', ...files.map((file) => `/${file}$`)] : []
  // The second run keeps a trace of what fails, which would slow down all others at the first.
  const env = { ...programs, TRACE: files.length > 0 ? '1' : '0' }
  const { code } = await runNode([...command, ...alone], { env })
  return { code, report: readPlaywright(join(results, 'playwright.json'), root) }
}

type Verdict = {
  readonly passed: number
  readonly failed: readonly Failure[]
  readonly unsteady: readonly Failure[]
  readonly code: number
}

async function judge(run: Runner): Promise<Verdict> {
  const first = await run([])
  const { passed, failures, strayErrors } = first.report
  if (failures.length === 0) return { passed, failed: [], unsteady: [], code: first.code }
  const second = await run([...new Set(failures.map(({ file }) => file))])
  const failed = second.report.failures
  const isFailed = (one: Failure) => failed.some(({ file, title }) => file === one.file && title === one.title)
  const unsteady = failures.filter((one) => !isFailed(one))
  // An error that belongs to no test is nothing that a second run of other files settles.
  return { passed: passed + unsteady.length, failed, unsteady, code: strayErrors > 0 ? first.code : second.code }
}

const verdicts = [await judge(runVitest), await judge(runPlaywright)]
const failed = verdicts.flatMap((verdict) => verdict.failed)
const unsteady = verdicts.flatMap((verdict) => verdict.unsteady)
for (const { file, title } of failed) console.log(`failed    ${file}: ${title}`)
for (const { file, title } of unsteady) console.log(`unsteady  ${file}: ${title}`)
const passed = verdicts.reduce((sum, verdict) => sum + verdict.passed, 0)
console.log(`\n${passed} passed, ${failed.length} failed, ${unsteady.length} of the passed at the second run only`)
process.exitCode = verdicts.find(({ code }) => code !== 0)?.code ?? 0
