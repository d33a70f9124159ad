import { submit, visit } from '@ovation/sandbox/visit'
import type Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../testing/gateway.ts'
import { expectBalancedBooks } from '../testing/expect-balanced-books.ts'
import { buildShop, call, type Plan, refusalOf, type Shop, subscribe } from '../testing/shop.ts'

const day = 86_400
let shop: Shop
let creator: Person
let plan: Plan
let fan: Person
let own: { id: string; stripeId: string }
beforeAll(async () => {
  shop = await buildShop()
})
beforeEach(async () => {
  creator = await shop.buildCreator()
  plan = await shop.buildPlan(creator)
  fan = await shop.gateway.signUp()
  await subscribe(fan, plan)
  await shop.settled()
  const [row] = await shop.gateway.query<{ id: string; stripeId: string }>(
    `select s.id, k.stripe_subscription_id as "stripeId" from public.subscriptions s
     join private.stripe_subscriptions k on k.subscription_id = s.id where s.subscriber_id = $1`,
    [fan.profileId],
  )
  own = row ?? { id: '', stripeId: '' }
})
afterAll(() => shop.close())

const payWith = async (card: 'pm_card_chargeCustomerFail' | 'pm_card_visa') => {
  const { customer } = await shop.stripe.subscriptions.retrieve(own.stripeId)
  const { id } = await shop.stripe.paymentMethods.attach(card, { customer: String(customer) })
  await shop.stripe.subscriptions.update(own.stripeId, { default_payment_method: id })
}
const seen = async () => {
  await shop.settled()
  const { subscriptions } = await call<{ subscriptions: { status: string; has_access: boolean }[] }>(
    fan,
    'refresh-subscription-status',
    { creatorId: creator.profileId },
  )
  return subscriptions.map(({ status, has_access }) => ({ status, has_access }))
}
const hasAccess = async () =>
  (await call<{ hasActiveSubscription: boolean }>(fan, 'verify-subscription', { creatorId: creator.profileId }))
    .hasActiveSubscription

describe.each(['unpaid', 'past_due'] as const)('after the last attempt, if the operator chose %s', (dunning) => {
  it("gives no access, isn't sold twice, and unlocks again once its bill is paid [SUB-16, SUB-18]", async () => {
    shop.sandbox.setDunning(dunning)
    await payWith('pm_card_chargeCustomerFail')
    shop.sandbox.advanceClock(50 * day)
    await shop.settled()
    // The database's clock determines the grace period, and the sandbox can't move it.
    await shop.gateway.query(`update public.subscriptions set past_due_since = now() - interval '4 days'
      where id = '${own.id}' and status = 'past_due'`)
    expect(await seen()).toEqual([{ status: dunning, has_access: false }])
    expect(await hasAccess()).toBe(false)
    expect(await refusalOf(fan, 'create-subscription-checkout', { productId: plan.id })).toMatchObject({
      status: 409,
      body: { code: 'already_subscribed' },
    })

    await payWith('pm_card_visa')
    const { latest_invoice: latest } = await shop.stripe.subscriptions.retrieve(own.stripeId)
    const { hosted_invoice_url: page } = await shop.stripe.invoices.retrieve(String(latest))
    await submit(await visit(page ?? ''), { answer: 'confirm' })
    expect(await seen()).toEqual([{ status: 'active', has_access: true }])
    expect(await hasAccess()).toBe(true)
    await expectBalancedBooks(shop)
  })

  it('ends if the fan cancels, and leaves room for a new one [SUB-05]', async () => {
    shop.sandbox.setDunning(dunning)
    await payWith('pm_card_chargeCustomerFail')
    shop.sandbox.advanceClock(50 * day)
    await shop.settled()
    await call(fan, 'cancel-subscription', { subscriptionId: own.id })
    shop.sandbox.advanceClock(40 * day)
    expect(await seen()).toMatchObject([{ status: 'canceled' }])
    expect(await call(fan, 'create-subscription-checkout', { productId: plan.id })).toHaveProperty('url')
  })
})

/** As an operator creates one in the Dashboard, for a fan without another. */
async function beginAtProvider(
  card: 'pm_card_authenticationRequired' | undefined,
  about: Partial<Stripe.SubscriptionCreateParams> = {},
) {
  await shop.stripe.subscriptions.cancel(own.stripeId)
  await shop.settled()
  const { customer, metadata, items } = await shop.stripe.subscriptions.retrieve(own.stripeId)
  const fresh = await shop.stripe.customers.create({})
  await shop.gateway.query('update private.stripe_customers set customer_id = $1 where customer_id = $2', [
    fresh.id,
    String(customer),
  ])
  const method = card && (await shop.stripe.paymentMethods.attach(card, { customer: fresh.id })).id
  const begun = await shop.stripe.subscriptions.create({
    customer: fresh.id,
    metadata,
    items: [{ price: items.data[0]?.price.id }],
    application_fee_percent: 10,
    transfer_data: { destination: await shop.accountOf(creator) },
    ...(method && { default_payment_method: method }),
    ...about,
  })
  own = { ...own, stripeId: begun.id }
  return begun
}
const others = async () => (await seen()).filter(({ status }) => status !== 'canceled')

it('a subscription whose first bill waits for the bank gives no access until it is paid, and blocks no other [SUB-18]', async () => {
  const begun = await beginAtProvider('pm_card_authenticationRequired')
  expect(begun.status).toBe('incomplete')
  expect([await others(), await hasAccess()]).toEqual([[], false])
  expect(await call(fan, 'create-subscription-checkout', { productId: plan.id })).toHaveProperty('url')
  const { hosted_invoice_url: page } = await shop.stripe.invoices.retrieve(String(begun.latest_invoice))
  await submit(await visit(page ?? ''), { answer: 'confirm' })
  expect([await others(), await hasAccess()]).toEqual([[{ status: 'active', has_access: true }], true])
  await expectBalancedBooks(shop)
})

it("a subscription that isn't paid in time never began [SUB-18]", async () => {
  const { id } = await beginAtProvider('pm_card_authenticationRequired')
  shop.sandbox.advanceClock(day)
  expect([await others(), await hasAccess()]).toEqual([[], false])
  expect((await shop.stripe.subscriptions.retrieve(id)).status).toBe('incomplete_expired')
  expect(await call(fan, 'create-subscription-checkout', { productId: plan.id })).toHaveProperty('url')
  await expectBalancedBooks(shop)
})

it("a paused subscription gives no access and isn't sold twice, until it is resumed [SUB-18]", async () => {
  const { id, customer } = await beginAtProvider(undefined, {
    trial_period_days: 3,
    trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
  })
  expect(await others()).toEqual([{ status: 'trial', has_access: true }])
  shop.sandbox.advanceClock(4 * day)
  expect([await others(), await hasAccess()]).toEqual([[{ status: 'paused', has_access: false }], false])
  expect(await refusalOf(fan, 'create-subscription-checkout', { productId: plan.id })).toMatchObject({ status: 409 })
  const card = await shop.stripe.paymentMethods.attach('pm_card_visa', { customer: String(customer) })
  await shop.stripe.subscriptions.update(id, { default_payment_method: card.id })
  await shop.stripe.subscriptions.resume(id)
  expect([await others(), await hasAccess()]).toEqual([[{ status: 'active', has_access: true }], true])
  await expectBalancedBooks(shop)
})
