import { runNode } from './run.ts'

/**
 * `npm run proof:money [LIVES] [FIRST]`: thousands of random lives of fans and creators, with the server killed every few seconds
 * (server/payments/random-life.test.ts). Each has a number, and the same number is the same life: `npm run proof:money 1 NUMBER` lives
 * one again, alone.
 */
const [lives = '2000', first = String(Date.now() % 1_000_000)] = process.argv.slice(2)
process.env.MONEY_LIVES = lives
process.env.MONEY_FIRST = first
console.log(`${lives} lives, the first is ${first}`)
const { code } = await runNode([
  'node_modules/vitest/vitest.mjs',
  'run',
  '--project',
  'node',
  'server/payments/random-life.test.ts',
])
process.exitCode = code
