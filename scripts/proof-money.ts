import { runNode } from './run.ts'

/**
 * `npm run proof:money [LIVES] [SEED]`: lives through thousands of random lives of fans and creators (server/payments/random-life.test.ts).
 * Some four seconds each; the suite lives a few.
 */
const [lives = '2000', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2)
process.env.MONEY_LIVES = lives
process.env.MONEY_SEED = seed
console.log(`${lives} lives, seed ${seed}`)
const { code } = await runNode([
  'node_modules/vitest/vitest.mjs',
  'run',
  '--project',
  'node',
  'server/payments/random-life.test.ts',
])
process.exitCode = code
