import { expect, it } from 'vitest'
import { buildCheckout, buildCreator, buildWorld, pay, payWith } from '../testing/harness.ts'
import { submit, visit } from '../visit.ts'
import { testCards } from './test-cards.ts'

const hour = 3600
const day = 24 * hour

/** The check digit that every card number ends in. */
const passesLuhn = (number: string) =>
  [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0) %
    10 ===
  0

it('knows no number that a card could not have', () => {
  expect(Object.keys(testCards).filter((number) => !passesLuhn(number))).toEqual([])
})

it.each([
  '6200000000000005',
  '6205500000000000004',
  '3566002020360505',
  '36227206271667',
  '4000002760000016',
  '5555050360000080',
])('takes card %s, of another network or country, and says so on the charge', async (number) => {
  await using world = await buildWorld()
  const charge = await pay(world, { number })
  expect(charge.payment_method_details?.card).toMatchObject({
    brand: testCards[number]?.brand,
    country: testCards[number]?.country,
    last4: number.slice(-4),
  })
})

it('takes 1.5 % more of a foreign card', async () => {
  await using world = await buildWorld({ truth: { processingFees: true } })
  const charge = await pay(world, { number: '4000002760000016' })
  const entry = await world.stripe.balanceTransactions.retrieve(String(charge.balance_transaction))
  expect(entry.fee).toBe(44 + 30)
})

it.each([
  ['4100000000000019', 'highest'],
  ['4000000000004954', 'highest'],
])('blocks card %s before contacting its bank', async (number, risk) => {
  await using world = await buildWorld()
  const charge = await pay(world, { number })
  expect(charge).toMatchObject({
    status: 'failed',
    outcome: { type: 'blocked', network_status: 'not_sent_to_network', risk_level: risk },
  })
})

it.each([
  ['4000000000009235', { status: 'succeeded', outcome: { risk_level: 'elevated' } }],
  ['4000000000000101', { status: 'succeeded', payment_method_details: { card: { checks: { cvc_check: 'fail' } } } }],
  [
    '4000000000000036',
    { status: 'succeeded', payment_method_details: { card: { checks: { address_postal_code_check: 'fail' } } } },
  ],
  ['4000000000006975', { status: 'failed', outcome: { reason: 'card_velocity_exceeded' } }],
])('charges card %s as documented', async (number, expected) => {
  await using world = await buildWorld()
  expect(await pay(world, { number })).toMatchObject(expected)
})

it.each([
  ['4000008400001629', 'card_declined', 'generic_decline'],
  ['4000008260003178', 'card_declined', 'insufficient_funds'],
])('declines card %s after its bank has confirmed', async (number, code, reason) => {
  await using world = await buildWorld()
  const session = await buildCheckout(world.stripe, await buildCreator(world.stripe))
  const step = await payWith(session.url, number)
  const refused = await submit(await visit(`${world.sandbox.url}${step.location}`), { answer: 'confirm' })
  expect(refused.status).toBe(402)
  const { data } = await world.stripe.charges.list()
  expect(data).toMatchObject([{ status: 'failed', failure_code: code, outcome: { reason } }])
})

it.each(['4000000000003220', '4000000000003063', '4000003800000446'])(
  'asks the bank of card %s while the buyer is there',
  async (number) => {
    await using world = await buildWorld()
    const session = await buildCheckout(world.stripe, await buildCreator(world.stripe))
    const step = await payWith(session.url, number)
    await submit(await visit(`${world.sandbox.url}${step.location}`), { answer: 'confirm' })
    expect((await world.stripe.checkout.sessions.retrieve(session.id)).status).toBe('complete')
    world.sandbox.advanceClock(32 * day)
    const { data } = await world.stripe.subscriptions.list({ status: 'all' })
    // Card …0446 was set up with its bank before: it can be charged while the buyer is away.
    expect(data[0]?.status).toBe(number.endsWith('0446') ? 'active' : 'past_due')
  },
)

it('keeps a refund to card …7726 pending for an hour', async () => {
  await using world = await buildWorld()
  const { stripe, sandbox } = world
  const charge = await pay(world, { number: '4000000000007726' })
  const refund = await stripe.refunds.create({ charge: charge.id })
  expect(refund).toMatchObject({ status: 'pending', pending_reason: 'processing' })
  sandbox.advanceClock(hour + 1)
  expect((await stripe.refunds.retrieve(refund.id)).status).toBe('succeeded')
  const { data } = await stripe.events.list({ type: 'refund.updated' })
  expect(data).toMatchObject([{ data: { object: { id: refund.id }, previous_attributes: { status: 'pending' } } }])
})

it('sends a refund to card …5126 back after a day', async () => {
  await using world = await buildWorld()
  const { stripe, sandbox } = world
  const charge = await pay(world, { number: '4000000000005126' })
  const refund = await stripe.refunds.create({ charge: charge.id })
  expect([refund.status, sandbox.books().platform]).toEqual(['succeeded', 0])
  sandbox.advanceClock(day + 1)
  expect(await stripe.refunds.retrieve(refund.id, { expand: ['failure_balance_transaction'] })).toMatchObject({
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
    failure_balance_transaction: { type: 'refund_failure', amount: 1000 },
  })
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 0, refunded: false })
  expect(sandbox.books().platform).toBe(1000)
  for (const type of ['refund.updated', 'refund.failed'] as const)
    expect((await stripe.events.list({ type })).data).toHaveLength(1)
})

it('disputes a charge of card …0079 twice, and of a card of compliance as that', async () => {
  await using world = await buildWorld()
  const charge = await pay(world, { number: '4000000404000079' })
  const { data } = await world.stripe.disputes.list({ charge: charge.id })
  expect(data.map(({ amount }) => amount)).toEqual([500, 500])
  expect(world.sandbox.books().platform).toBe(0)
  expect(() => world.sandbox.openDispute(charge.id)).toThrow('cannot be disputed')
  const other = await pay(world, { number: '4000008400000779' })
  expect((await world.stripe.disputes.list({ charge: other.id })).data).toMatchObject([
    { reason: 'noncompliant', payment_method_details: { card: { case_type: 'compliance' } } },
  ])
})

it('declines card …1280, whose bank can’t be asked, and has the money of …0278 at once', async () => {
  await using world = await buildWorld()
  expect(await pay(world, { number: '4000008400001280' })).toMatchObject({
    status: 'failed',
    failure_code: 'card_declined',
  })
  await pay(world, { number: '4000003720000278' })
  expect((await world.stripe.balance.retrieve()).pending).toMatchObject([{ amount: 0 }])
})
