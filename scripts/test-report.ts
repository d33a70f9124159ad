import { readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'

/** What a run of tests said: how many passed, which failed, and how many errors belong to no test. */
export type Report = {
  readonly passed: number
  readonly failures: readonly Failure[]
  readonly strayErrors: number
  /** How long the tests of each file took. */
  readonly seconds: Readonly<Record<string, number>>
}
/** `file` is relative to the repository's root. */
export type Failure = { readonly file: string; readonly title: string }

type PlaywrightSpec = { title: string; ok: boolean; tests: { results: { duration: number }[] }[] }
type PlaywrightSuite = { file: string; suites?: PlaywrightSuite[]; specs: PlaywrightSpec[] }
type PlaywrightJson = {
  config: { rootDir: string }
  stats: { expected: number }
  suites: PlaywrightSuite[]
  errors: unknown[]
}

/** Reads Playwright's JSON report, whose files are relative to the tests' folder. */
export function readPlaywright(path: string, root: string): Report {
  const { config, stats, suites, errors }: PlaywrightJson = JSON.parse(readFileSync(path, 'utf8'))
  const failuresOf = (suite: PlaywrightSuite): Failure[] => [
    ...suite.specs
      .filter(({ ok }) => !ok)
      .map(({ title }) => ({ file: relative(root, resolve(config.rootDir, suite.file)), title })),
    ...(suite.suites ?? []).flatMap(failuresOf),
  ]
  const msOf = ({ specs, suites = [] }: PlaywrightSuite): number =>
    specs
      .flatMap(({ tests }) => tests.flatMap(({ results }) => results))
      .reduce((sum, { duration }) => sum + duration, 0) + suites.reduce((sum, suite) => sum + msOf(suite), 0)
  return {
    passed: stats.expected,
    failures: suites.flatMap(failuresOf),
    strayErrors: errors.length,
    seconds: Object.fromEntries(
      suites.map((suite) => [relative(root, resolve(config.rootDir, suite.file)), msOf(suite) / 1000]),
    ),
  }
}
