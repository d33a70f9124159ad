import { expect, it } from 'vitest'
import { liveTogether } from './testing/lives/random-lives.ts'

/** `npm run proof:money` asks for thousands; the suite lives a few, the same ones each time. */
const lives = Number(process.env.MONEY_LIVES ?? 5)
const first = Number(process.env.MONEY_FIRST ?? 20_241)
/** Comparing all books takes as long as they are: a city has this many lives, and the next ones get a city of their own. */
const livesPerCity = 100

it(
  'access, ledger and the provider’s books agree after any life, with messages lost, late and doubled, and the server killed: subscriptions, posts and messages for a price, tips [GEN-02]',
  async () => {
    for (let lived = 0; lived < lives; lived += livesPerCity) {
      const count = Math.min(livesPerCity, lives - lived)
      const tally = await liveTogether({ first: first + lived, count })
      expect(tally.deaths).toBeGreaterThan(0)
      if (count >= 20) expect(tally.duplicates).toBeGreaterThan(0)
      if (process.env.MONEY_LIVES) console.log(JSON.stringify({ first: first + lived, ...tally }))
    }
  },
  Math.max(240_000, lives * 10_000),
)
