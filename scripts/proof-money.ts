import { availableParallelism } from 'node:os'
import { runNode } from './run.ts'

/**
 * `npm run proof:money [LIVES] [FIRST]`: thousands of random lives of fans and creators, a hundred at a time beside one server that is
 * killed again and again (server/payments/random-life.test.ts). What fails names its life: `npm run proof:money 1 NUMBER` lives it again,
 * alone. A life that fails only among the others is met again by `npm run proof:money 100 FIRST`, with the first number of its hundred.
 */
const [lives, first] = [2_000, Date.now() % 1_000_000].map((usual, index) => Number(process.argv[2 + index] ?? usual))
const together = 100
if (!lives || first === undefined || !(lives > 0) || !(first >= 0))
  throw new Error('Usage: npm run proof:money [LIVES] [FIRST], two whole numbers')
console.log(`${lives} lives, the first is ${first}`)

// Each core lives some hundreds of them, one hundred after the other.
const hundreds = Math.ceil(lives / together)
const atOnce = Math.min(availableParallelism(), hundreds)
const starts = Array.from({ length: atOnce }, (_, index) => Math.floor((index * hundreds) / atOnce) * together)
const outcomes = await Promise.all(
  starts.map((start, index) =>
    runNode(['node_modules/vitest/vitest.mjs', 'run', '--project', 'node', 'server/payments/random-life.test.ts'], {
      env: { MONEY_FIRST: String(first + start), MONEY_LIVES: String((starts[index + 1] ?? lives) - start) },
    }),
  ),
)
process.exitCode = Math.max(...outcomes.map(({ code }) => code))
