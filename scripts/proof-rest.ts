import { runNode } from './run.ts'

/**
 * `npm run proof:rest`: 100,000 random requests of any bytes through the real gateway on a real PostgreSQL, and as many through the
 * stages without one. None may be answered with a 5xx or leave a connection dirty. Some minutes; the suite runs a sample of it.
 */
const { code } = await runNode(
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project=node',
    'server/rest/hostile.test.ts',
    'server/rest/properties.test.ts',
  ],
  { env: { PROOF_REST_RUNS: '100000' } },
)
process.exitCode = code
