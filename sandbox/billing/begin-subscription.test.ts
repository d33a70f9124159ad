import type Stripe from 'stripe'
import { expect, it } from 'vitest'
import { buildCreator, buildPrice, buildWorld, type World } from '../testing/harness.ts'
import { submit, visit } from '../visit.ts'

const hour = 3600
const day = 24 * hour

/** A subscription that is begun by the API, for a customer with this card, if any. */
async function begin(world: World, card: string | undefined, about: Partial<Stripe.SubscriptionCreateParams> = {}) {
  const { stripe } = world
  const price = await buildPrice(stripe)
  const customer = await stripe.customers.create({ email: 'fan@example.com' })
  const method = card && (await stripe.paymentMethods.attach(card, { customer: customer.id })).id
  return stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    ...(method && { default_payment_method: method }),
    ...about,
  })
}
const read = ({ stripe }: World, { id }: { id: string }) =>
  stripe.subscriptions.retrieve(id, { expand: ['latest_invoice.payments'] })
const invoiceOf = (subscription: Stripe.Subscription) => subscription.latest_invoice as Stripe.Invoice
const typesOf = async ({ stripe }: World) => (await stripe.events.list({ limit: 100 })).data.map(({ type }) => type)

it('is active at once where its card pays, and splits the money as a checkout does', async () => {
  await using world = await buildWorld()
  const creator = await buildCreator(world.stripe)
  const subscription = await begin(world, 'pm_card_visa', {
    application_fee_percent: 10,
    transfer_data: { destination: creator.id },
  })
  expect(subscription.status).toBe('active')
  expect(world.sandbox.books().accounts[creator.id]).toBe(899)
  world.sandbox.advanceClock(32 * day)
  expect(await read(world, subscription)).toMatchObject({ status: 'active' })
  expect(world.sandbox.books().paidIn).toBe(2 * 999)
})

it.each(['pm_card_chargeCustomerFail', 'pm_card_authenticationRequired'])(
  'is incomplete while the first bill waits for its buyer, and expires after 23 hours: %s',
  async (card) => {
    await using world = await buildWorld()
    const subscription = await begin(world, card)
    expect(subscription.status).toBe('incomplete')
    world.sandbox.advanceClock(22 * hour)
    expect(invoiceOf(await read(world, subscription))).toMatchObject({ status: 'open', attempt_count: 1 })
    world.sandbox.advanceClock(2 * hour)
    const expired = await read(world, subscription)
    expect([expired.status, invoiceOf(expired).status]).toEqual(['incomplete_expired', 'void'])
    await expect(world.stripe.subscriptions.cancel(subscription.id)).rejects.toMatchObject({ code: 'resource_missing' })
    world.sandbox.advanceClock(40 * day)
    expect(world.sandbox.books().paidIn).toBe(0)
  },
)

it('is active once the buyer has paid: on the page of the bill, or by its payment intent', async () => {
  await using world = await buildWorld()
  const asked = await begin(world, 'pm_card_authenticationRequired')
  await submit(await visit(invoiceOf(await read(world, asked)).hosted_invoice_url ?? ''), { answer: 'confirm' })
  expect((await read(world, asked)).status).toBe('active')

  const left = await begin(world, 'pm_card_visa', { payment_behavior: 'default_incomplete' })
  expect(left.status).toBe('incomplete')
  const [payment] = invoiceOf(await read(world, left)).payments?.data ?? []
  await world.stripe.paymentIntents.confirm(String(payment?.payment.payment_intent), {
    payment_method: String(left.default_payment_method),
  })
  const paid = await read(world, left)
  expect([paid.status, invoiceOf(paid).status]).toEqual(['active', 'paid'])
  world.sandbox.advanceClock(25 * hour)
  expect((await read(world, left)).status).toBe('active')
})

it('is refused whole where the request wants no unpaid one, and without any card', async () => {
  await using world = await buildWorld()
  await expect(
    begin(world, 'pm_card_chargeCustomerFail', { payment_behavior: 'error_if_incomplete' }),
  ).rejects.toMatchObject({ statusCode: 402, code: 'card_declined' })
  await expect(begin(world, undefined)).rejects.toMatchObject({ statusCode: 400, code: 'resource_missing' })
  expect((await world.stripe.subscriptions.list({ status: 'all' })).data).toEqual([])
})

it.each([
  ['pause', 'paused'],
  ['cancel', 'canceled'],
  ['create_invoice', 'past_due'],
] as const)('ends a trial without a card as requested: %s', async (behavior, status) => {
  await using world = await buildWorld()
  const subscription = await begin(world, undefined, {
    trial_period_days: 3,
    trial_settings: { end_behavior: { missing_payment_method: behavior } },
  })
  expect(subscription.status).toBe('trialing')
  world.sandbox.advanceClock(4 * day)
  expect((await read(world, subscription)).status).toBe(status)
  world.sandbox.advanceClock(40 * day)
  expect(world.sandbox.books().paidIn).toBe(0)
})

it('goes on after a pause once there is a card', async () => {
  await using world = await buildWorld()
  const { stripe } = world
  const subscription = await begin(world, undefined, {
    trial_period_days: 3,
    trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
  })
  world.sandbox.advanceClock(10 * day)
  await expect(stripe.subscriptions.resume(subscription.id)).rejects.toMatchObject({ code: 'resource_missing' })
  const customer = String(subscription.customer)
  const { id } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } })
  expect(await stripe.subscriptions.resume(subscription.id)).toMatchObject({ status: 'active' })
  const resumed = await read(world, subscription)
  expect(invoiceOf(resumed)).toMatchObject({ status: 'paid', amount_paid: 999 })
  expect(await typesOf(world)).toEqual(
    expect.arrayContaining(['customer.subscription.paused', 'customer.subscription.resumed']),
  )
  world.sandbox.advanceClock(32 * day)
  expect((await read(world, subscription)).status).toBe('active')
  expect(world.sandbox.books().paidIn).toBe(2 * 999)
})

it('pays another account from the next bill on, and a draft where it says so; a finalized bill keeps its account', async () => {
  await using world = await buildWorld()
  const { stripe, sandbox } = world
  const [first, second] = [await buildCreator(stripe), await buildCreator(stripe)]
  const subscription = await begin(world, 'pm_card_visa', { transfer_data: { destination: first.id } })
  const held = () => [first, second].map(({ id }) => sandbox.books().accounts[id] ?? 0)
  const move = (destination: string) => stripe.subscriptions.update(subscription.id, { transfer_data: { destination } })
  const renew = async () => {
    const { items } = await read(world, subscription)
    sandbox.advanceClock((items.data[0]?.current_period_end ?? 0) - sandbox.now() + 60)
    return invoiceOf(await read(world, subscription)).id
  }
  await renew()
  await move(second.id)
  sandbox.advanceClock(hour)
  expect(held()).toEqual([2 * 999, 0])
  const draft = await renew()
  await move(first.id)
  await stripe.invoices.update(draft, { transfer_data: { destination: first.id } })
  sandbox.advanceClock(hour)
  expect(held()).toEqual([3 * 999, 0])
  const late = stripe.invoices.update(draft, { transfer_data: { destination: second.id } })
  await expect(late).rejects.toMatchObject({ param: 'transfer_data' })
  await expect(move('acct_none')).rejects.toMatchObject({ param: 'transfer_data[destination]' })
})

it('begins a period today where its anchor is reset, and bills it at once', async () => {
  await using world = await buildWorld()
  const subscription = await begin(world, 'pm_card_visa')
  world.sandbox.advanceClock(10 * day)
  const reset = { billing_cycle_anchor: { type: 'now' }, proration_behavior: 'none' } as const
  const changed = await world.stripe.subscriptions.update(subscription.id, reset)
  expect(changed).toMatchObject({ status: 'active', billing_cycle_anchor: world.sandbox.now() })
  expect(changed.items.data[0]?.current_period_start).toBe(world.sandbox.now())
  expect(world.sandbox.books().paidIn).toBe(2 * 999)
  const prorated = world.stripe.subscriptions.update(subscription.id, { billing_cycle_anchor: { type: 'now' } })
  await expect(prorated).rejects.toMatchObject({ param: 'billing_cycle_anchor' })
})
