import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildWorld, live, step } from './testing/random-life.ts'
import { buildShop, type Shop } from './testing/shop.ts'

/** `npm run proof:money` asks for thousands; the suite lives a few lives, the same ones each time. */
const runs = Number(process.env.MONEY_LIVES ?? 3)
const seed = Number(process.env.MONEY_SEED ?? 20_241)

/** No webhook arrives by itself: the test delivers, loses, repeats and reorders them. */
const open = () => buildShop({ webhooks: false })
/** Comparing all books takes as long as they are; new ones are begun now and then. */
const livesPerShop = 25

let shop: Shop
beforeAll(async () => {
  shop = await open()
})
afterAll(() => shop.close())

it(
  'access, ledger and the provider’s books agree after any life, with messages lost, late and doubled, and the server killed',
  async () => {
    let lived = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (steps) => {
        if (lived > 0 && lived % livesPerShop === 0) {
          await shop.close()
          shop = await open()
        }
        await live(await buildWorld(shop), steps)
        lived += 1
        if (runs > 50 && lived % 50 === 0) console.log(`${lived} lives`)
      }),
      { numRuns: runs, seed, endOnFailure: runs <= 50 },
    )
    expect(lived).toBe(runs)
  },
  Math.max(60_000, runs * 20_000),
)
