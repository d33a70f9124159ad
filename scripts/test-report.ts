import { readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'

/** What a run of tests said: how many passed, and which failed, by file (relative to the repository's root). */
export type Report = { readonly passed: number; readonly failures: readonly Failure[] }
export type Failure = { readonly file: string; readonly title: string }

type VitestJson = {
  numPassedTests: number
  testResults: { name: string; status: string; assertionResults: { fullName: string; status: string }[] }[]
}

/** Reads Vitest's JSON report. A file that can't be loaded is a failure without a test. */
export function readVitest(path: string, root: string): Report {
  const { numPassedTests, testResults }: VitestJson = JSON.parse(readFileSync(path, 'utf8'))
  const failures = testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const file = relative(root, name)
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      return failed.length > 0
        ? failed.map(({ fullName }) => ({ file, title: fullName }))
        : [{ file, title: '(the file itself)' }]
    })
  return { passed: numPassedTests, failures }
}

type PlaywrightSuite = { file: string; suites?: PlaywrightSuite[]; specs: { title: string; ok: boolean }[] }
type PlaywrightJson = { config: { rootDir: string }; stats: { expected: number }; suites: PlaywrightSuite[] }

/** Reads Playwright's JSON report, whose files are relative to the tests' folder. */
export function readPlaywright(path: string, root: string): Report {
  const { config, stats, suites }: PlaywrightJson = JSON.parse(readFileSync(path, 'utf8'))
  const failuresOf = (suite: PlaywrightSuite): Failure[] => [
    ...suite.specs
      .filter(({ ok }) => !ok)
      .map(({ title }) => ({ file: relative(root, resolve(config.rootDir, suite.file)), title })),
    ...(suite.suites ?? []).flatMap(failuresOf),
  ]
  return { passed: stats.expected, failures: suites.flatMap(failuresOf) }
}
