import type Stripe from 'stripe'
import { expect, it } from 'vitest'
import {
  buildCheckout,
  buildCreator,
  buildPrice,
  buildReceiver,
  buildWorld,
  payWith,
  type World,
  webhookSecret,
} from './testing/harness.ts'
import { submit, visit } from './visit.ts'

const day = 86_400
/** A renewal's bill can still be changed for so long. */
const draftHour = 3600

async function buildSubscription(world: World, about: { number?: string; trialDays?: number } = {}) {
  const creator = await buildCreator(world.stripe)
  const session = await buildCheckout(world.stripe, creator, {
    subscription_data: {
      application_fee_percent: 10,
      transfer_data: { destination: creator.id },
      ...(about.trialDays && { trial_period_days: about.trialDays }),
    },
  })
  const page = await payWith(session.url, about.number ?? '4242424242424242')
  if (page.location?.endsWith('/authenticate')) {
    await submit(await visit(`${world.sandbox.url}${page.location}`), { answer: 'confirm' })
  }
  const done = await world.stripe.checkout.sessions.retrieve(session.id)
  return { creator, id: String(done.subscription) }
}

const endOf = (subscription: Stripe.Subscription) => subscription.items.data[0]?.current_period_end ?? 0

it('takes a discount of one month off one bill, also from the last day of a long month', async () => {
  await using world = await buildWorld()
  const { stripe, sandbox } = world
  const year = new Date(sandbox.now() * 1000).getUTCFullYear() + 1
  sandbox.advanceClock(Date.UTC(year, 0, 31, 12) / 1000 - sandbox.now())
  const coupon = await stripe.coupons.create({ percent_off: 50, duration: 'repeating', duration_in_months: 1 })
  const session = await buildCheckout(stripe, await buildCreator(stripe), { discounts: [{ coupon: coupon.id }] })
  await payWith(session.url, '4242424242424242')
  sandbox.advanceClock(30 * day)
  const { data: invoices } = await stripe.invoices.list({ limit: 10 })
  expect(invoices.map(({ amount_paid }) => amount_paid)).toEqual([999, 499])
})

it('renews a month later, to the second, and splits the money again [SUB-14]', async () => {
  await using receiver = await buildReceiver()
  await using world = await buildWorld({ webhook: { url: receiver.url, secret: webhookSecret } })
  const { creator, id } = await buildSubscription(world)
  const first = await world.stripe.subscriptions.retrieve(id)
  world.sandbox.advanceClock(3 * 31 * day)

  const later = await world.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
  expect(later.status).toBe('active')
  expect(endOf(later)).toBeGreaterThan(world.sandbox.now())
  expect(world.sandbox.books()).toEqual({
    platform: 400,
    accounts: { [creator.id]: 4 * 899 },
    paidIn: 4 * 999,
    paidOut: 0,
    stripeFees: 4 * 59,
    toppedUp: 0,
  })
  const { data: invoices } = await world.stripe.invoices.list({ subscription: id })
  expect(invoices.map((invoice) => invoice.billing_reason)).toEqual([
    ...Array(3).fill('subscription_cycle'),
    'subscription_create',
  ])
  expect(invoices[2]?.created).toBe(endOf(first))
  expect(invoices[2]?.lines.data[0]?.period.start).toBe(endOf(first))

  await world.sandbox.webhooksSettled()
  const renewals = receiver.events.filter((event) => event.type === 'customer.subscription.updated')
  expect(renewals).toHaveLength(3)
})

it('charges at the end of a trial, after saying three days before that it will [SUB-15, PROD-11]', async () => {
  await using world = await buildWorld()
  const { id } = await buildSubscription(world, { trialDays: 7 })
  world.sandbox.advanceClock(4 * day + 1)
  const noticed = await world.stripe.events.list({ type: 'customer.subscription.trial_will_end' })
  expect(noticed.data).toHaveLength(1)
  expect(world.sandbox.books().paidIn).toBe(0)

  world.sandbox.advanceClock(3 * day)
  const [drafted] = (await world.stripe.invoices.list({ subscription: id, status: 'draft' })).data
  expect((drafted?.automatically_finalizes_at ?? 0) - (drafted?.created ?? 0)).toBe(draftHour)
  expect(world.sandbox.books().paidIn).toBe(0)
  world.sandbox.advanceClock(draftHour)
  expect((await world.stripe.subscriptions.retrieve(id)).status).toBe('active')
  expect(world.sandbox.books()).toMatchObject({ platform: 100, paidIn: 999 })
})

it('goes past due when the card fails, tries again, and ends after the last attempt [SUB-16]', async () => {
  await using world = await buildWorld()
  const { id } = await buildSubscription(world, { number: '4000000000000341', trialDays: 1 })
  world.sandbox.advanceClock(day + draftHour + 1)
  const failed = await world.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
  expect(failed).toMatchObject({
    status: 'past_due',
    latest_invoice: { status: 'open', attempt_count: 1, amount_remaining: 999 },
  })

  world.sandbox.advanceClock(16 * day)
  const ended = await world.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
  expect(ended).toMatchObject({
    status: 'canceled',
    cancellation_details: { reason: 'payment_failed' },
    latest_invoice: { status: 'void', attempt_count: 4 },
  })
  expect((await world.stripe.events.list({ type: 'invoice.payment_failed' })).data).toHaveLength(4)
  expect(world.sandbox.books()).toEqual({
    platform: 0,
    accounts: {},
    paidIn: 0,
    paidOut: 0,
    stripeFees: 0,
    toppedUp: 0,
  })
})

it('is active again when a new card pays what was due', async () => {
  await using world = await buildWorld()
  const { id } = await buildSubscription(world, { number: '4000000000000341', trialDays: 1 })
  world.sandbox.advanceClock(day + draftHour + 1)
  const { customer } = await world.stripe.subscriptions.retrieve(id)
  const method = await world.stripe.paymentMethods.attach('pm_card_visa', { customer: String(customer) })
  await world.stripe.subscriptions.update(id, { default_payment_method: method.id })
  world.sandbox.advanceClock(3 * day)
  expect(await world.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })).toMatchObject({
    status: 'active',
    latest_invoice: { status: 'paid' },
  })
  expect(world.sandbox.books().paidIn).toBe(999)
})

it.each([
  ['4000002500003155', 'active'],
  ['4000002760003184', 'past_due'],
])('renews card %s, whose bank wanted to be asked, as %s', async (number, status) => {
  await using world = await buildWorld()
  const { id } = await buildSubscription(world, { number })
  world.sandbox.advanceClock(31 * day)
  expect((await world.stripe.subscriptions.retrieve(id)).status).toBe(status)
})

it('keeps a canceled subscription until its period ends, then ends it without a charge [SUB-05, SUB-17]', async () => {
  await using world = await buildWorld()
  const { id } = await buildSubscription(world)
  const cancelled = await world.stripe.subscriptions.update(id, { cancel_at_period_end: true })
  expect(cancelled).toMatchObject({ status: 'active', cancel_at_period_end: true, cancel_at: endOf(cancelled) })
  const resumed = await world.stripe.subscriptions.update(id, { cancel_at_period_end: false })
  expect(resumed).toMatchObject({ cancel_at_period_end: false, cancel_at: null, canceled_at: null })

  await world.stripe.subscriptions.update(id, { cancel_at_period_end: true })
  world.sandbox.advanceClock(32 * day)
  expect(await world.stripe.subscriptions.retrieve(id)).toMatchObject({
    status: 'canceled',
    ended_at: endOf(cancelled),
    cancellation_details: { reason: 'cancellation_requested' },
  })
  expect(world.sandbox.books().paidIn).toBe(999)
})

it('ends a subscription at once when asked, and never bills it again [SUB-05]', async () => {
  await using world = await buildWorld()
  const { id } = await buildSubscription(world)
  expect(await world.stripe.subscriptions.cancel(id)).toMatchObject({ status: 'canceled' })
  world.sandbox.advanceClock(62 * day)
  expect(world.sandbox.books().paidIn).toBe(999)
  expect((await world.stripe.subscriptions.list()).data).toEqual([])
  expect((await world.stripe.subscriptions.list({ status: 'all' })).data).toHaveLength(1)
  await expect(world.stripe.subscriptions.cancel(id)).rejects.toMatchObject({
    code: 'resource_missing',
    statusCode: 404,
  })
})

it('moves for another process too, with a key', async () => {
  await using world = await buildWorld()
  const before = world.sandbox.now()
  const move = (headers: Record<string, string>) =>
    fetch(`${world.sandbox.url}/sandbox-control/clock/advance`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ seconds: '3600' }),
    })
  expect((await move({})).status).toBe(401)
  expect((await move({ authorization: 'Bearer sk_test_x' })).status).toBe(200)
  expect(world.sandbox.now() - before).toBeGreaterThanOrEqual(3600)
})

it('agrees with itself over years: what buyers paid in is what platform and creators hold', async () => {
  await using world = await buildWorld()
  const creator = await buildCreator(world.stripe)
  for (const [interval, amount] of [
    ['week', 333],
    ['month', 1005],
    ['year', 9999],
  ] as const) {
    const price = await buildPrice(world.stripe, { unit_amount: amount, recurring: { interval } })
    await payWith(
      (await buildCheckout(world.stripe, creator, { line_items: [{ price: price.id }] })).url,
      '4242424242424242',
    )
  }
  world.sandbox.advanceClock(400 * day)
  const { platform, accounts, paidIn } = world.sandbox.books()
  expect(platform + (accounts[creator.id] ?? 0)).toBe(paidIn)
  expect(paidIn).toBe(58 * 333 + 14 * 1005 + 2 * 9999)
  expect(platform).toBe(58 * 33 + 14 * 101 + 2 * 1000)
})
