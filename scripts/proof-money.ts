import { availableParallelism } from 'node:os'
import { runNode } from './run.ts'

/**
 * `npm run proof:money [WALKS] [FIRST]`: thousands of random walks of fans and creators, a hundred at a time beside one server that is
 * killed again and again (server/payments/random-walk.test.ts). What fails names its walk: `npm run proof:money 1 NUMBER` runs it again,
 * alone. A walk that fails only among the others is met again by `npm run proof:money 100 FIRST`, with the first number of its hundred.
 */
const [walks, first] = [2_000, Date.now() % 1_000_000].map((usual, index) => Number(process.argv[2 + index] ?? usual))
const together = 100
if (!walks || first === undefined || !(walks > 0) || !(first >= 0))
  throw new Error('Usage: npm run proof:money [WALKS] [FIRST], two whole numbers')
console.log(`${walks} walks, the first is ${first}`)

// Each core runs some hundreds of them, one hundred after the other.
const hundreds = Math.ceil(walks / together)
const atOnce = Math.min(availableParallelism(), hundreds)
const starts = Array.from({ length: atOnce }, (_, index) => Math.floor((index * hundreds) / atOnce) * together)
const outcomes = await Promise.all(
  starts.map((start, index) =>
    runNode(['node_modules/vitest/vitest.mjs', 'run', '--project', 'node', 'server/payments/random-walk.test.ts'], {
      env: { MONEY_FIRST: String(first + start), MONEY_WALKS: String((starts[index + 1] ?? walks) - start) },
    }),
  ),
)
process.exitCode = Math.max(...outcomes.map(({ code }) => code))
