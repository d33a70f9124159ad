import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Person } from '../../testing/gateway.ts'
import { reconcile } from '../reconciliation/reconcile.ts'
import { expectBalancedBooks } from '../testing/expect-balanced-books.ts'
import { buildPaidPost } from '../testing/paid-post.ts'
import { buildShop, call, pay, type Shop } from '../testing/shop.ts'

let shop: Shop
let creator: Person
let fan: Person
let intent: string
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
  intent = (await shop.stripe.paymentIntents.list({ limit: 1 })).data[0]?.id ?? ''
})
afterAll(() => shop.close())

const balance = async () =>
  (await shop.gateway.query<{ cents: number }>('select private.balance_of($1)::int as cents', [creator.profileId]))[0]
    ?.cents
const refunds = async () =>
  (
    await creator.client
      .from('transactions')
      .select('amount, fee_amount, net_amount')
      .eq('transaction_type', 'refund')
      .order('created_at')
      .throwOnError()
  ).data
const differences = async () => {
  const found = (await reconcile(shop.gateway.services, 7)).differences
  return found.filter(({ cause }) => cause === intent)
}

it('a refund that leaves the creator’s part with the creator is the platform’s loss [GEN-06]', async () => {
  await shop.stripe.refunds.create({ payment_intent: intent })
  await shop.settled()
  expect(await refunds()).toEqual([{ amount: -500, fee_amount: -500, net_amount: 0 }])
  expect(await balance()).toBe(450)
  const { data } = await creator.client
    .from('notifications')
    .select('message')
    .like('title', '% was refunded $5.00')
    .throwOnError()
  expect(data).toMatchObject([{ message: expect.stringContaining("Your earnings don't change.") }])
  expect(await differences()).toEqual([])
  await expectBalancedBooks(shop)
})

it('so is a part of one, and later refunds are split as agreed', async () => {
  await shop.stripe.refunds.create({ payment_intent: intent, amount: 200 })
  await shop.settled()
  expect(await refunds()).toEqual([{ amount: -200, fee_amount: -200, net_amount: 0 }])
  expect(await balance()).toBe(450)
  await shop.stripe.refunds.create({
    payment_intent: intent,
    amount: 100,
    reverse_transfer: true,
    refund_application_fee: true,
  })
  await shop.settled()
  expect(await balance()).toBe(360)
  expect(await differences()).toEqual([])
  await expectBalancedBooks(shop)
})

it('a refund that keeps the platform’s fee takes the whole amount from the creator', async () => {
  await shop.stripe.refunds.create({ payment_intent: intent, reverse_transfer: true })
  await shop.settled()
  expect(await refunds()).toEqual([{ amount: -500, fee_amount: 0, net_amount: -500 }])
  expect(await balance()).toBe(-50)
  expect(await differences()).toEqual([])
  await expectBalancedBooks(shop)
})

it('a refund whose event arrives after that of a later dispute is still the platform’s loss [GEN-06, D5]', async () => {
  shop.sandbox.setWebhook({ url: 'http://127.0.0.1:9/nobody', secret: 'whsec_lost' })
  await shop.stripe.refunds.create({ payment_intent: intent, amount: 200 })
  shop.sandbox.advanceClock(60)
  const { latest_charge } = await shop.stripe.paymentIntents.retrieve(intent)
  shop.sandbox.openDispute(String(latest_charge))
  expect(await differences()).toEqual([])
  shop.openWebhooks()
  await shop.settled()
  expect(await balance()).toBe(450 - 270)
  await expectBalancedBooks(shop)
})

it('shows admins a transfer that was reversed by hand until the books agree', async () => {
  const charge = await shop.stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] })
  const transfer = (charge.latest_charge as { transfer?: string } | null)?.transfer ?? ''
  await shop.stripe.transfers.createReversal(transfer, { amount: 100 })
  expect(await differences()).toMatchObject([{ kind: 'transfer', cause: intent, expectedCents: 350, actualCents: 450 }])
})
