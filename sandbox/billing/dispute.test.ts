import type Stripe from 'stripe'
import { expect, it } from 'vitest'
import { buildWorld, pay, type World } from '../testing/harness.ts'

const day = 86_400

const only = async ({ stripe }: World): Promise<Stripe.Dispute> => {
  const { data } = await stripe.disputes.list()
  expect(data).toHaveLength(1)
  return data[0] as Stripe.Dispute
}

const answer = async (world: World, text: string) =>
  world.stripe.disputes.update((await only(world)).id, { evidence: { uncategorized_text: text }, submit: true })

const typesOf = async ({ stripe }: World) =>
  (await stripe.events.list({ limit: 100 })).data
    .map(({ type }) => type)
    .filter((type) => type.startsWith('charge.dispute'))
    .toReversed()

it('asks with card …1976 without taking money, and rests when nobody answers', async () => {
  await using world = await buildWorld()
  const charge = await pay(world, { number: '4000000000001976' })
  expect(await only(world)).toMatchObject({
    status: 'warning_needs_response',
    is_charge_refundable: true,
    balance_transactions: [],
    payment_method_details: { type: 'card', card: { case_type: 'inquiry' } },
  })
  expect((await world.stripe.charges.retrieve(charge.id)).disputed).toBe(false)
  world.sandbox.advanceClock(9 * day + 1)
  expect((await only(world)).status).toBe('warning_closed')
  expect(world.sandbox.books().platform).toBe(1000)
  expect(await typesOf(world)).toEqual(['charge.dispute.created', 'charge.dispute.closed'])
})

it('closes an inquiry when the charge is refunded', async () => {
  await using world = await buildWorld()
  const charge = await pay(world, { number: '4000000000001976' })
  await world.stripe.refunds.create({ charge: charge.id })
  expect((await only(world)).status).toBe('warning_closed')
})

it('takes the money when an inquiry escalates', async () => {
  await using world = await buildWorld()
  await pay(world, { number: '4000000000001976' })
  await answer(world, 'escalate_inquiry_evidence')
  expect(await only(world)).toMatchObject({ status: 'needs_response', balance_transactions: [{ amount: -1000 }] })
  expect(world.sandbox.books().platform).toBe(0)
  await answer(world, 'winning_evidence')
  expect((await only(world)).status).toBe('won')
  expect(world.sandbox.books().platform).toBe(1000)
})

it('takes only what is left when an inquiry about a partly refunded charge escalates', async () => {
  await using world = await buildWorld()
  const charge = await pay(world, { number: '4000000000001976' })
  await world.stripe.refunds.create({ charge: charge.id, amount: 400 })
  await answer(world, 'escalate_inquiry_evidence')
  expect(await only(world)).toMatchObject({ amount: 600, balance_transactions: [{ amount: -600 }] })
  expect(world.sandbox.books().platform).toBe(0)
})

it('reviews evidence that is no word for tests, and decides against it after sixty days', async () => {
  await using world = await buildWorld()
  await pay(world, { number: '4000000000002685' })
  expect((await only(world)).reason).toBe('product_not_received')
  expect((await answer(world, 'the buyer was there')).status).toBe('under_review')
  world.sandbox.advanceClock(59 * day)
  expect((await only(world)).status).toBe('under_review')
  world.sandbox.advanceClock(2 * day)
  expect((await only(world)).status).toBe('lost')
})

it('lets a dispute that was lost be appealed and won', async () => {
  await using world = await buildWorld()
  await pay(world, { number: '4000000000000259' })
  const { id } = await answer(world, 'losing_evidence')
  world.sandbox.offerAppeal(id)
  expect((await only(world)).status).toBe('appeal_needs_response')
  const appealed = await world.stripe.disputes.update(id, {
    evidence: { appeal: { card: { reason_for_filing: 'the bank has overlooked something' } } },
    submit: true,
  })
  expect(appealed.status).toBe('appeal_under_review')
  world.sandbox.decideDispute(id, 'won')
  expect((await only(world)).status).toBe('won')
  expect(world.sandbox.books().platform).toBe(1000)
  expect(await typesOf(world)).toEqual([
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.updated',
    'charge.dispute.closed',
    'charge.dispute.updated',
    'charge.dispute.updated',
    'charge.dispute.closed',
    'charge.dispute.funds_reinstated',
  ])
})

it('shows a dispute that was averted, and moves nothing', async () => {
  await using world = await buildWorld()
  world.sandbox.preventDispute((await pay(world)).id)
  expect(await only(world)).toMatchObject({ status: 'prevented', balance_transactions: [] })
  expect(world.sandbox.books().platform).toBe(1000)
})

it('warns of a fraud with card …5423 until the charge is refunded', async () => {
  await using world = await buildWorld()
  const charge = await pay(world, { number: '4000000000005423' })
  const warnings = () => world.stripe.radar.earlyFraudWarnings.list({ charge: charge.id })
  expect((await warnings()).data).toMatchObject([{ actionable: true, fraud_type: 'made_with_stolen_card' }])
  await world.stripe.refunds.create({ charge: charge.id })
  expect((await warnings()).data).toMatchObject([{ actionable: false }])
  const events = await world.stripe.events.list({ type: 'radar.early_fraud_warning.created' })
  expect(events.data).toHaveLength(1)
})
