import { expect, it } from 'vitest'
import { runRandomWalks } from './testing/random-walks/random-walks.ts'

/** `npm run proof:money` runs thousands; the suite runs a few, always the same ones. */
const walks = Number(process.env.MONEY_WALKS ?? 5)
const first = Number(process.env.MONEY_FIRST ?? 20_241)
/** Comparing all books takes longer as they grow, so an environment has this many walks, and further ones get a new environment. */
const walksPerWorld = 100

it(
  'access, ledger, and the provider’s books agree after any walk with lost, late, and duplicate webhooks and server crashes: subscriptions, gifts, paid posts and messages, products, tips, goals [GEN-02, OFFER-11]',
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
