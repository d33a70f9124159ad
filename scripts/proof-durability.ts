import { runNode } from './run.ts'

/** `npm run proof:durability [-- KILLS]`: the server, its database or both are killed (`kill -9`) 50 times while people write. Some minutes. */
const { code } = await runNode(
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'node', 'server/operations/durability.test.ts'],
  { env: { DURABILITY_KILLS: process.argv[2] ?? '50' } },
)
process.exitCode = code
