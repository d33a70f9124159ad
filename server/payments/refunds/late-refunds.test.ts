import { DatabaseSync } from 'node:sqlite'
import type Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Person } from '../../testing/gateway.ts'
import { reconcile } from '../reconciliation/reconcile.ts'
import { buildPaidPost } from '../testing/paid-post.ts'
import { buildShop, call, pay, type Shop } from '../testing/shop.ts'
import { fulfillEvent } from '../webhooks/fulfill-event.ts'
import { storeEvent } from '../webhooks/stored-events.ts'

let shop: Shop
let creator: Person
let fan: Person
let refund: Stripe.Refund
beforeAll(async () => {
  shop = await buildShop({ webhooks: false }) // the test plays the provider
  creator = await shop.buildCreator()
})
afterAll(() => shop?.close())
beforeEach(async () => {
  fan = await shop.gateway.signUp()
  const { url } = await call<{ url: string }>(fan, 'create-payment-checkout', {
    kind: 'ppv',
    targetId: await buildPaidPost(creator),
  })
  await pay(url)
  const [intent] = (await shop.stripe.paymentIntents.list({ limit: 1 })).data
  refund = await shop.stripe.refunds.create({
    payment_intent: intent?.id,
    reverse_transfer: true,
    refund_application_fee: true,
  })
})

/** Gives the refund this status at the provider and sends the event. */
async function become(status: string, type: string): Promise<void> {
  const books = new DatabaseSync(shop.sandboxFile)
  books.prepare(`update objects set data = json_set(data, '$.status', ?) where id = ?`).run(status, refund.id)
  books.close()
  const id = `evt_${crypto.randomUUID()}`
  const object = type.startsWith('charge') ? { id: refund.charge } : { id: refund.id, charge: refund.charge }
  const event = { id, type, created: 0, livemode: false, data: { object } } as unknown as Stripe.Event
  await storeEvent(shop.gateway.services, event, { fulfill: true })
  await fulfillEvent(shop.gateway.services, id)
}

const payment = async () =>
  (await fan.client.from('transactions').select('status').gt('amount', 0).single().throwOnError()).data

it('books a refund that waits for the platform’s money once it succeeds [D5]', async () => {
  await become('pending', 'charge.refunded')
  expect(await payment()).toEqual({ status: 'completed' })
  expect((await reconcile(shop.gateway.services, 7)).differences).toEqual([]) // it is pending
  await become('succeeded', 'refund.updated')
  expect(await payment()).toEqual({ status: 'refunded' })
})

it('notifies admins and both parties, once, of a refund that a bank rejects afterwards; nobody loses anything until then', async () => {
  await become('succeeded', 'refund.updated')
  for (let time = 0; time < 2; time += 1) await become('failed', 'refund.failed')
  expect(await payment()).toEqual({ status: 'refunded' })
  expect(
    await shop.gateway.query(
      'select kind, expected_cents::int as expected, actual_cents::int as actual from private.payment_differences where cause = $1',
      [refund.id],
    ),
  ).toEqual([{ kind: 'amount', expected: 0, actual: 500 }])
  const about = async ({ client }: Person) => {
    const { data: bells } = await client.from('notifications').select('message').eq('title', 'Refund failed')
    const { data: refunds } = await client
      .from('transactions')
      .select('status')
      .eq('transaction_type', 'refund')
      .eq('from_user_id', fan.profileId)
    return { bells, refunds }
  }
  expect(await about(creator)).toEqual({
    bells: [{ message: expect.stringMatching(/^Your refund of \$5\.00 to .+ was rejected by the bank\./) }],
    refunds: [{ status: 'failed' }],
  })
  expect(await about(fan)).toEqual({
    bells: [{ message: expect.stringMatching(/^The refund of \$5\.00 from .+ was rejected by your bank\./) }],
    refunds: [{ status: 'failed' }],
  })
  expect(await shop.gateway.query('select * from private.verify_ledger()')).toEqual([])
})
