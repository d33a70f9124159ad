import { expect, it } from 'vitest'
import { runRandomWalks } from './testing/random-walks/random-walks.ts'

/** `npm run proof:money` asks for thousands; the suite runs a few, the same ones each time. */
const walks = Number(process.env.MONEY_WALKS ?? 5)
const first = Number(process.env.MONEY_FIRST ?? 20_241)
/** Comparing all books takes as long as they are: an environment has this many walks, and the next ones get an environment of their own. */
const walksPerWorld = 100

it(
  'access, ledger and the provider’s books agree after any walk, with messages lost, late and doubled, and the server killed: subscriptions, posts and messages for a price, tips [GEN-02]',
  async () => {
    for (let done = 0; done < walks; done += walksPerWorld) {
      const count = Math.min(walksPerWorld, walks - done)
      const summary = await runRandomWalks({ first: first + done, count })
      expect(summary.crashes).toBeGreaterThan(0)
      if (count >= 20) expect(summary.duplicates).toBeGreaterThan(0)
      if (process.env.MONEY_WALKS) console.log(JSON.stringify({ first: first + done, ...summary }))
    }
  },
  Math.max(240_000, walks * 10_000),
)
