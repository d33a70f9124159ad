import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Person } from '../../testing/gateway.ts'
import { reconcile } from '../reconciliation/reconcile.ts'
import { expectBalancedBooks } from '../testing/expect-balanced-books.ts'
import { buildPaidPost } from '../testing/paid-post.ts'
import { buildShop, call, pay, type Shop } from '../testing/shop.ts'

let shop: Shop
let creator: Person
let fan: Person
let charge: string
beforeAll(async () => {
  shop = await buildShop()
})
beforeEach(async () => {
  creator = await shop.buildCreator()
  fan = await shop.gateway.signUp()
  const targetId = await buildPaidPost(creator)
  const { url } = await call<{ url: string }>(fan, 'create-payment-checkout', { kind: 'ppv', targetId })
  await pay(url)
  await shop.settled()
  charge = (await shop.stripe.charges.list({ limit: 1 })).data[0]?.id ?? ''
})
afterAll(() => shop.close())

const balance = async () =>
  (await shop.gateway.query<{ cents: number }>('select private.balance_of($1)::int as cents', [creator.profileId]))[0]
    ?.cents
const status = async () =>
  (
    await shop.gateway.query<{ status: string }>(
      `select status from public.transactions where from_user_id = $1 and transaction_type = 'ppv'`,
      [fan.profileId],
    )
  )[0]?.status
async function listen(enabled_events: ['*'] | ['payout.paid']): Promise<void> {
  for (const { id } of (await shop.stripe.webhookEndpoints.list()).data)
    await shop.stripe.webhookEndpoints.update(id, { enabled_events })
}

it('a lost dispute that is won on appeal returns the money and the access [D5]', async () => {
  shop.sandbox.openDispute(charge)
  await shop.settled()
  const [dispute = ''] = shop.sandbox.disputes()
  shop.sandbox.decideDispute(dispute, 'lost')
  await shop.settled()
  expect([await status(), await balance()]).toEqual(['refunded', 0])
  shop.sandbox.offerAppeal(dispute)
  await shop.settled()
  expect([await status(), await balance()]).toEqual(['refunded', 0])
  shop.sandbox.decideDispute(dispute, 'won')
  await shop.settled()
  expect([await status(), await balance()]).toEqual(['completed', 450])
  const { data } = await fan.client
    .from('posts')
    .select('is_locked')
    .eq('post_type', 'ppv')
    .eq('creator_id', creator.profileId)
  expect(data).toEqual([{ is_locked: false }])
  await expectBalancedBooks(shop)
})

it('a lost event changes nothing, even months later: reconciliation checks disputes that closed in the last half year', async () => {
  shop.sandbox.openDispute(charge)
  await shop.settled()
  const [dispute = ''] = shop.sandbox.disputes()
  shop.sandbox.decideDispute(dispute, 'lost')
  await shop.settled()
  await shop.gateway.query(
    `update private.payment_disputes set opened_at = now() - interval '110 days', closed_at = now() - interval '100 days' where id = $1`,
    [dispute],
  )
  shop.sandbox.advanceClock(100 * 86_400)
  await shop.settled()
  await listen(['payout.paid'])
  shop.sandbox.offerAppeal(dispute)
  shop.sandbox.decideDispute(dispute, 'won')
  await listen(['*'])
  // By the provider's clock, the charge is too old to be among the recent ones.
  const days = (shop.sandbox.now() - Date.now() / 1000) / 86_400
  await reconcile(shop.gateway.services, -days + 7)
  await shop.settled()
  expect([await status(), await balance()]).toEqual(['completed', 450])
})

it('an inquiry and a prevented dispute take nothing', async () => {
  shop.sandbox.preventDispute(charge)
  await shop.settled()
  expect([await status(), await balance()]).toEqual(['completed', 450])
  await expectBalancedBooks(shop)
})
