import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { root } from './run.ts'
import type { Failure, Report } from './test-report.ts'

/**
 * Writes a `Report` to the file that TEST_REPORT names. Vitest's own JSON does not tell errors that belong to no test: a rejection that
 * nobody caught, a worker that ended.
 */
export default class ReportWriter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]) {
    const report: Report = {
      passed: modules.reduce((sum, { children }) => sum + [...children.allTests('passed')].length, 0),
      failures: modules.flatMap(failuresOf),
      strayErrors: unhandledErrors.length,
      seconds: Object.fromEntries(
        modules.map((module) => [relative(root, module.moduleId), module.diagnostic().duration / 1000]),
      ),
    }
    const file = process.env.TEST_REPORT ?? ''
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(report))
  }
}

/** A file that can't be loaded, or whose hooks fail, is a failure without a test. */
function failuresOf(module: TestModule): Failure[] {
  const file = relative(root, module.moduleId)
  const failed = [...module.children.allTests('failed')].map(({ fullName }) => ({ file, title: fullName }))
  return module.ok() || failed.length > 0 ? failed : [{ file, title: '(the file itself)' }]
}
