import { run, runNode } from './run.ts'

/** `npm run check`: everything that can be checked without running the product, in parallel. */
const checks = [
  { name: 'types', start: () => run('node_modules/.bin/tsc', ['-p', 'tsconfig.json'], { quiet: true }) },
  {
    name: 'types of the web app',
    start: () => run('node_modules/.bin/tsc', ['-p', 'web/tsconfig.json'], { quiet: true }),
  },
  {
    name: 'types of the demo pictures',
    start: () => run('node_modules/.bin/tsc', ['-p', 'scripts/demo-pictures'], { quiet: true }),
  },
  {
    name: 'lint and format',
    start: () => run('node_modules/.bin/biome', ['ci', '--colors=off', '.'], { quiet: true }),
  },
  { name: 'generated files', start: () => runNode(['scripts/generate.ts', '--check'], { quiet: true }) },
  { name: 'list of error codes', start: () => runNode(['scripts/error-codes.ts', '--check'], { quiet: true }) },
  {
    // npm drops a lock it can't read without a word, and then installs whatever is newest.
    name: 'package-lock.json',
    start: () => run('npm', ['ci', '--dry-run', '--ignore-scripts', '--offline'], { quiet: true }),
  },
  { name: 'prose', start: () => runNode(['scripts/prose.ts'], { quiet: true }) },
  { name: 'weight of the web app', start: () => runNode(['scripts/web-budget.ts'], { quiet: true }) },
  { name: 'specification coverage', start: () => runNode(['scripts/spec-coverage.ts', '--check'], { quiet: true }) },
]

const outcomes = await Promise.all(checks.map(async ({ name, start }) => ({ name, ...(await start()) })))
for (const { name, code, output, seconds } of outcomes) {
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s)`)
  if (code !== 0) console.log(output.trim())
}
process.exitCode = outcomes.some(({ code }) => code !== 0) ? 1 : 0
