import type Stripe from 'stripe'
import { expect, it } from 'vitest'
import { buildCheckout, buildCreator, buildPrice, buildWorld, payWith, type World } from '../testing/harness.ts'
import { type Page, submit, visit } from '../visit.ts'

const day = 86_400
const always = '4000002760003184'

async function subscribe(world: World, number = '4242424242424242', trialDays?: number) {
  const creator = await buildCreator(world.stripe)
  const session = await buildCheckout(world.stripe, creator, {
    subscription_data: {
      application_fee_percent: 10,
      transfer_data: { destination: creator.id },
      ...(trialDays && { trial_period_days: trialDays }),
    },
  })
  const page = await payWith(session.url, number)
  if (page.location?.endsWith('/authenticate'))
    await submit(await visit(`${world.sandbox.url}${page.location}`), { answer: 'confirm' })
  const { data } = await world.stripe.subscriptions.list()
  return data[0] as Stripe.Subscription
}

const read = async ({ stripe }: World, id: string) => {
  const subscription = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
  return { subscription, invoice: subscription.latest_invoice as Stripe.Invoice }
}

/** Confirms, or not, on the page that an invoice names. */
const confirm = async ({ hosted_invoice_url }: Stripe.Invoice, answer = 'confirm'): Promise<Page> =>
  submit(await visit(hosted_invoice_url ?? ''), { answer })

async function switchUp(world: World, subscription: Stripe.Subscription) {
  const price = await buildPrice(world.stripe, { unit_amount: 2999 })
  const changed = await world.stripe.subscriptions.update(subscription.id, {
    items: [{ id: subscription.items.data[0]?.id ?? '', price: price.id }],
    payment_behavior: 'pending_if_incomplete',
    proration_behavior: 'always_invoice',
  })
  return { price, changed }
}

it('keeps a change until the bank has confirmed on the page of its invoice', async () => {
  await using world = await buildWorld()
  const before = await subscribe(world, always)
  const { price, changed } = await switchUp(world, before)
  expect(changed.items.data[0]?.price.id).toBe(before.items.data[0]?.price.id)
  expect(changed).toMatchObject({
    status: 'active',
    pending_update: { subscription_items: [{ price: { id: price.id } }] },
  })
  const { invoice } = await read(world, before.id)
  expect(invoice).toMatchObject({ status: 'open', billing_reason: 'subscription_update' })
  expect((await confirm(invoice, 'refuse')).status).toBe(402)
  expect((await confirm(invoice)).text).toContain('The invoice is paid')
  const { subscription } = await read(world, before.id)
  expect(subscription).toMatchObject({ status: 'active', pending_update: null })
  expect(subscription.items.data[0]?.price.id).toBe(price.id)
  const types = (await world.stripe.events.list({ limit: 100 })).data.map(({ type }) => type)
  expect(types).toContain('invoice.payment_action_required')
  expect(types).toContain('customer.subscription.pending_update_applied')
})

it('drops a change that nobody has paid for within 23 hours, and renews at the old price', async () => {
  await using world = await buildWorld()
  const before = await subscribe(world, '4000003800000446')
  const customer = String(before.customer)
  const failing = await world.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
  await world.stripe.subscriptions.update(before.id, { default_payment_method: failing.id })
  const { changed } = await switchUp(world, before)
  const good = await world.stripe.paymentMethods.attach('pm_card_visa', { customer })
  await world.stripe.subscriptions.update(before.id, { default_payment_method: good.id })
  world.sandbox.advanceClock(23 * 3600 + 1)
  const { subscription, invoice } = await read(world, before.id)
  expect([changed.pending_update === null, subscription.pending_update, invoice.status]).toEqual([false, null, 'void'])
  world.sandbox.advanceClock(32 * day)
  const renewed = await read(world, before.id)
  expect([renewed.subscription.status, renewed.invoice.amount_paid]).toEqual(['active', 999])
})

it('says that a renewal needs the buyer, who confirms on the page of the invoice', async () => {
  await using world = await buildWorld()
  const { id } = await subscribe(world, always)
  world.sandbox.advanceClock(32 * day)
  const { subscription, invoice } = await read(world, id)
  expect([subscription.status, invoice.status]).toEqual(['past_due', 'open'])
  expect((await world.stripe.events.list({ type: 'invoice.payment_action_required' })).data).toHaveLength(1)
  await confirm(invoice)
  const paid = await read(world, id)
  expect([paid.subscription.status, paid.invoice.status]).toEqual(['active', 'paid'])
  expect(paid.invoice.receipt_number).toMatch(/^\d{4}-\d{4}$/)
  expect((await visit(invoice.hosted_invoice_url ?? '')).text).toContain('The invoice is paid')
})

it.each([
  ['cancel', 'canceled', 'void'],
  ['unpaid', 'unpaid', 'open'],
  ['past_due', 'past_due', 'open'],
] as const)('ends the attempts to collect as the operator chose: %s', async (dunning, status, bill) => {
  await using world = await buildWorld({ dunning })
  const { id } = await subscribe(world, '4000000000000341', 1)
  world.sandbox.advanceClock(17 * day)
  const { subscription, invoice } = await read(world, id)
  expect([subscription.status, invoice.status, invoice.attempt_count]).toEqual([status, bill, 4])
  if (status !== 'unpaid') return
  world.sandbox.advanceClock(31 * day)
  const next = await read(world, id)
  expect([next.subscription.status, next.invoice.status]).toEqual(['unpaid', 'draft'])
})

it('leaves the bill of a renewal a draft for an hour', async () => {
  await using world = await buildWorld({ truth: { draftHour: true } })
  const { id, items } = await subscribe(world)
  world.sandbox.advanceClock((items.data[0]?.current_period_end ?? 0) - world.sandbox.now() + 60)
  const early = await read(world, id)
  expect([early.subscription.status, early.invoice.status]).toEqual(['active', 'draft'])
  expect(early.invoice.automatically_finalizes_at).toBe(early.invoice.created + 3600)
  world.sandbox.advanceClock(3600)
  expect((await read(world, id)).invoice).toMatchObject({ status: 'paid', amount_paid: 999 })
})

it('charges nothing for a draft whose subscription has ended meanwhile', async () => {
  await using world = await buildWorld()
  const { id, items } = await subscribe(world)
  world.sandbox.advanceClock((items.data[0]?.current_period_end ?? 0) - world.sandbox.now() + 60)
  await world.stripe.subscriptions.cancel(id)
  world.sandbox.advanceClock(2 * 3600)
  expect((await read(world, id)).invoice).toMatchObject({ status: 'draft', auto_advance: false, amount_paid: 0 })
  expect(world.sandbox.books().paidIn).toBe(999)
})

it.each([
  ['keep_as_draft', 'draft'],
  ['mark_uncollectible', 'uncollectible'],
  ['void', 'void'],
] as const)('asks for nothing while collection is paused: %s', async (behavior, status) => {
  await using world = await buildWorld()
  const { id } = await subscribe(world)
  await world.stripe.subscriptions.update(id, { pause_collection: { behavior } })
  world.sandbox.advanceClock(32 * day)
  const { subscription, invoice } = await read(world, id)
  expect([subscription.status, invoice.status]).toEqual(['active', status])
  await world.stripe.subscriptions.update(id, { pause_collection: '' })
  world.sandbox.advanceClock(31 * day)
  expect((await read(world, id)).invoice.status).toBe('paid')
})

it('announces a renewal a week before, once, and none that will not come', async () => {
  await using world = await buildWorld()
  const { id, items } = await subscribe(world)
  const end = items.data[0]?.current_period_end ?? 0
  const announced = async () => (await world.stripe.events.list({ type: 'invoice.upcoming' })).data
  world.sandbox.advanceClock(end - 7 * day - world.sandbox.now() - 60)
  expect(await announced()).toEqual([])
  world.sandbox.advanceClock(120)
  const [event] = await announced()
  expect(event?.data.object).toMatchObject({
    object: 'invoice',
    billing_reason: 'upcoming',
    amount_due: 999,
    period_end: end,
  })
  expect(event?.data.object).not.toHaveProperty('id')
  world.sandbox.advanceClock(6 * day)
  expect(await announced()).toHaveLength(1)
  world.sandbox.advanceClock(2 * day)
  expect((await read(world, id)).invoice).toMatchObject({ status: 'paid', billing_reason: 'subscription_cycle' })
  await world.stripe.subscriptions.update(id, { cancel_at_period_end: true })
  world.sandbox.advanceClock(40 * day)
  expect(await announced()).toHaveLength(1)
})

it('resumes collection by itself, and voids what is made until then', async () => {
  await using world = await buildWorld()
  const { id, items } = await subscribe(world)
  const end = items.data[0]?.current_period_end ?? 0
  const resumesAt = end + 20 * day
  await world.stripe.subscriptions.update(id, { pause_collection: { behavior: 'void', resumes_at: resumesAt } })
  world.sandbox.advanceClock(end + day - world.sandbox.now())
  expect((await world.stripe.events.list({ type: 'invoice.upcoming' })).data).toEqual([])
  expect((await read(world, id)).invoice).toMatchObject({ status: 'void', amount_paid: 0 })
  world.sandbox.advanceClock(20 * day)
  const { subscription } = await read(world, id)
  expect(subscription).toMatchObject({ status: 'active', pause_collection: null })
  expect((await world.stripe.events.list({ type: 'customer.subscription.updated' })).data[0]?.data).toMatchObject({
    previous_attributes: { pause_collection: { behavior: 'void', resumes_at: resumesAt } },
  })
  world.sandbox.advanceClock(12 * day)
  expect((await read(world, id)).invoice.status).toBe('paid')
})

it('rejects a pause that ends in the past', async () => {
  await using world = await buildWorld()
  const { id } = await subscribe(world)
  const pause = { behavior: 'void' as const, resumes_at: world.sandbox.now() - 60 }
  await expect(world.stripe.subscriptions.update(id, { pause_collection: pause })).rejects.toMatchObject({
    param: 'pause_collection[resumes_at]',
  })
})

it('begins a period after a pause, or changes nothing if its bill is declined', async () => {
  await using world = await buildWorld()
  const { id } = await subscribe(world)
  await world.stripe.subscriptions.update(id, { pause_collection: { behavior: 'void' } })
  world.sandbox.advanceClock(35 * day)
  const begin = {
    billing_cycle_anchor: { type: 'now' },
    proration_behavior: 'none',
    payment_behavior: 'error_if_incomplete',
  } as const
  await world.stripe.subscriptions.update(id, begin)
  expect((await read(world, id)).invoice.status).toBe('void') // collection is still paused
  await world.stripe.subscriptions.update(id, { pause_collection: '' })
  const { subscription } = await read(world, id)
  const customer = String(subscription.customer)
  const failing = await world.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
  await world.stripe.subscriptions.update(id, { default_payment_method: failing.id })
  await expect(world.stripe.subscriptions.update(id, begin)).rejects.toMatchObject({ code: 'card_declined' })
  expect((await read(world, id)).subscription.items.data[0]).toMatchObject({
    current_period_start: subscription.items.data[0]?.current_period_start,
  })
  const good = await world.stripe.paymentMethods.attach('pm_card_visa', { customer })
  await world.stripe.subscriptions.update(id, { default_payment_method: good.id })
  const begun = await world.stripe.subscriptions.update(id, begin)
  expect(begun.items.data[0]?.current_period_start).toBe(world.sandbox.now())
  expect((await read(world, id)).invoice.status).toBe('paid')
})
