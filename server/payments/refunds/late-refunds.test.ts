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
  refund = await shop.stripe.refunds.create({
    charge: await buy(),
    reverse_transfer: true,
    refund_application_fee: true,
  })
})

/** @returns the charge's id. */
async function buy(): Promise<string> {
  const order = { kind: 'ppv', targetId: await buildPaidPost(creator) }
  const { url } = await call<{ url: string }>(fan, 'create-payment-checkout', order)
  await pay(url)
  const [charge] = (await shop.stripe.charges.list({ limit: 1 })).data
  return charge?.id ?? ''
}

/** Gives the refund this status at the provider and sends the event. */
async function become(status: string, type: string, { id: refundId, charge } = refund): Promise<void> {
  change(refundId, '$.status', status)
  await receive(type, type.startsWith('charge') ? { id: charge } : { id: refundId, charge })
}

/** Changes an object at the provider. */
function change(id: string, path: string, value: string | number) {
  const books = new DatabaseSync(shop.sandboxFile)
  books.prepare(`update objects set data = json_set(data, ?, ?) where id = ?`).run(path, value, id)
  books.close()
}

async function receive(type: string, object: object): Promise<void> {
  const id = `evt_${crypto.randomUUID()}`
  const event = { id, type, created: 0, livemode: false, data: { object } } as unknown as Stripe.Event
  await storeEvent(shop.gateway.services, event, { fulfill: true })
  await fulfillEvent(shop.gateway.services, id)
}

const payment = async () =>
  (await fan.client.from('transactions').select('status').eq('transaction_type', 'ppv').single().throwOnError()).data
const differencesOf = async (cause: string) =>
  shop.gateway.query(
    `select kind, expected_cents::int as expected, actual_cents::int as actual, resolved_at is not null as "isResolved"
     from private.payment_differences where cause = $1`,
    [cause],
  )
const bells = async ({ client }: Person, title: string) =>
  (await client.from('notifications').select('message').eq('title', title)).data?.map(({ message }) => message)

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

it('a refund that is sent again after a bank has rejected it moves nothing more, and settles the difference', async () => {
  const startedAt = new Date()
  await become('succeeded', 'refund.updated')
  const first = refund
  shop.sandbox.failRefund(first.id)
  await become('failed', 'refund.failed')
  const again = await shop.stripe.refunds.create({ charge: String(first.charge) })
  for (let time = 0; time < 2; time += 1) await become('succeeded', 'refund.updated', again)
  expect(await payment()).toEqual({ status: 'refunded' })
  expect(await differencesOf(first.id)).toEqual([{ kind: 'amount', expected: 0, actual: 500, isResolved: true }])
  expect(await differencesOf(again.id)).toEqual([])
  expect(await bells(fan, 'Refund sent again')).toEqual([
    expect.stringMatching(/^The refund of \$5\.00 from .+ was sent again\.$/),
  ])
  const { differences } = await reconcile(shop.gateway.services, 7)
  expect(differences.filter(({ foundAt }) => new Date(foundAt) > startedAt)).toEqual([])
  // A bank rejects this one too.
  shop.sandbox.failRefund(again.id)
  for (let time = 0; time < 2; time += 1) await become('failed', 'refund.failed', again)
  expect(await differencesOf(again.id)).toEqual([{ kind: 'amount', expected: 0, actual: 500, isResolved: false }])
  expect(await bells(fan, 'Refund failed')).toHaveLength(2)
  expect(await shop.gateway.query('select * from private.verify_ledger()')).toEqual([])
})

it.each([
  ['refund', 'dispute'],
  ['dispute', 'refund'],
] as const)(
  'a payment that a bank takes back whole although a part was refunded is booked as far as it goes, %s before %s [D5]',
  async (...order) => {
    fan = await shop.gateway.signUp()
    const charge = await buy()
    const part = await shop.stripe.refunds.create({ charge, amount: 200 })
    const arrive = {
      refund: () => receive('charge.refunded', { id: charge }),
      dispute: () => receive('charge.dispute.created', { id: dispute }),
    }
    if (order[0] === 'refund') await arrive.refund()
    shop.sandbox.openDispute(charge)
    const dispute = (await shop.stripe.disputes.list({ charge })).data[0]?.id ?? ''
    change(dispute, '$.amount', 500)
    for (const what of [...order, ...order]) await arrive[what]()
    expect(await payment()).toEqual({ status: 'disputed' })
    const [late, known] = order[0] === 'refund' ? [dispute, part.id] : [part.id, dispute]
    expect(await differencesOf(late)).toMatchObject([{ expected: order[0] === 'refund' ? 300 : 0, isResolved: false }])
    expect(await differencesOf(known)).toEqual([])
    expect(await shop.gateway.query('select * from private.verify_ledger()')).toEqual([])
    if (order[0] === 'refund') return
    // The bank returns it, so the refund has its place in the books again.
    shop.sandbox.decideDispute(dispute, 'won')
    await receive('charge.dispute.closed', { id: dispute })
    await reconcile(shop.gateway.services, 7)
    expect(await payment()).toEqual({ status: 'partially_refunded' })
    expect(await differencesOf(part.id)).toMatchObject([{ isResolved: true }])
  },
)
