import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectBalancedBooks } from '../payments/testing/expect-balanced-books.ts'
import { buildShop, call, type Plan, refusalOf, type Shop, subscribe } from '../payments/testing/shop.ts'
import type { Person } from '../testing/gateway.ts'

let shop: Shop
let creator: Person
let silver: Plan
let gold: Plan
let fan: Person
let subscriptionId: string
beforeAll(async () => {
  shop = await buildShop()
  creator = await shop.buildCreator()
  silver = await shop.buildPlan(creator, { name: 'Silver', price_cents: 1_000 })
  gold = await shop.buildPlan(creator, { name: 'Gold', price_cents: 2_000 })
})
beforeEach(async () => {
  fan = await shop.gateway.signUp()
  await subscribe(fan, silver)
  await shop.settled()
  const [row] = await shop.gateway.query<{ id: string }>(
    'select id from public.subscriptions where subscriber_id = $1',
    [fan.profileId],
  )
  subscriptionId = row?.id ?? ''
})
afterAll(() => shop.close())

const stateOf = async (person = fan) =>
  (
    await person.client.rpc('get_subscription_status', {
      subscriber_profile_id: fan.profileId,
      creator_profile_id: creator.profileId,
    })
  ).data
const paid = () =>
  shop.gateway.query(
    'select amount, fee_amount, net_amount from public.transactions where from_user_id = $1 order by created_at, amount',
    [fan.profileId],
  )
const switchTo = (productId: string) => call(fan, 'switch-subscription', { subscriptionId, productId })
const sound = () => expectBalancedBooks(shop)

describe('canceling', () => {
  it('keeps access until the period ends, and can be undone until then [SUB-05, SUB-14, SUB-17]', async () => {
    expect(await call(fan, 'cancel-subscription', { subscriptionId })).toMatchObject({
      success: true,
      subscription: { id: subscriptionId, status: 'active', cancel_at_period_end: true, has_access: true },
    })
    expect(await stateOf()).toMatchObject([{ status: 'canceled', has_access: true }])
    const [row] = await shop.gateway.query<{ id: string }>(
      'select stripe_subscription_id as id from private.stripe_subscriptions where subscription_id = $1',
      [subscriptionId],
    )
    expect(await shop.stripe.subscriptions.retrieve(row?.id ?? '')).toMatchObject({ cancel_at_period_end: true })
    expect(await call(fan, 'cancel-subscription', { subscriptionId })).toMatchObject({ success: true })
    expect(await call(fan, 'resume-subscription', { subscriptionId })).toMatchObject({
      subscription: { cancel_at_period_end: false, status: 'active' },
    })
    expect(await stateOf()).toMatchObject([{ status: 'active', has_access: true }])
    await shop.settled()
    expect(await paid()).toHaveLength(1)
  })

  it.each(['cancel-subscription', 'resume-subscription', 'switch-subscription'])(
    '%s works only for the fan: not for a stranger, the creator, or a visitor',
    async (name) => {
      const body = { subscriptionId, productId: gold.id }
      for (const person of [await shop.gateway.signUp(), creator]) {
        expect(await refusalOf(person, name, body)).toMatchObject({
          status: 404,
          body: { code: 'subscription_not_found' },
        })
      }
      expect(await refusalOf({ client: shop.gateway.anon }, name, body)).toMatchObject({ status: 401 })
      expect(await refusalOf(fan, name, { subscriptionId: 'x' })).toMatchObject({ body: { field: 'subscriptionId' } })
      expect(await stateOf()).toMatchObject([{ status: 'active' }])
    },
  )
})

describe('switching', () => {
  it('charges the difference of a more expensive plan now, with the fee on it [SUB-04, GEN-06]', async () => {
    await call(fan, 'cancel-subscription', { subscriptionId })
    expect(await switchTo(gold.id)).toMatchObject({
      subscription: { id: subscriptionId, tier_id: gold.id, tier_name: 'Gold', cancel_at_period_end: false },
    })
    await shop.settled()
    const [first, second, ...more] = await paid()
    expect(more).toEqual([])
    expect([first, second].map((row) => Math.round(Number(row?.amount) / 100))).toEqual([10, 10])
    const [amount, fee, net] = [second?.amount, second?.fee_amount, second?.net_amount].map((one) => Number(one))
    expect([fee, net]).toEqual([Math.round(Number(amount) / 10), Number(amount) - Number(fee)])
    expect(await stateOf()).toMatchObject([{ status: 'active', has_access: true }])
    await sound()
  })

  it('charges a double click once', async () => {
    const answers = await Promise.allSettled([switchTo(gold.id), switchTo(gold.id)])
    expect(answers.some(({ status }) => status === 'fulfilled')).toBe(true)
    await shop.settled()
    expect(await paid()).toHaveLength(2)
    expect(await refusalOf(fan, 'switch-subscription', { subscriptionId, productId: gold.id })).toMatchObject({
      status: 409,
      body: { code: 'already_subscribed' },
    })
    await sound()
  })

  it('credits a cheaper plan to the next bill, and rejects one that would leave a higher credit than that', async () => {
    const bronze = await shop.buildPlan(creator, { name: 'Bronze', price_cents: 800 })
    const penny = await shop.buildPlan(creator, { name: 'Penny', price_cents: 100 })
    expect(await refusalOf(fan, 'switch-subscription', { subscriptionId, productId: penny.id })).toMatchObject({
      status: 409,
      body: { code: 'switch_too_cheap' },
    })
    expect(await switchTo(bronze.id)).toMatchObject({ subscription: { tier_id: bronze.id } })
    await shop.settled()
    expect(await paid()).toHaveLength(1)
    shop.sandbox.advanceClock(32 * 86_400)
    await shop.settled()
    const [, renewal] = await paid()
    expect(Math.round(Number(renewal?.amount) / 100)).toBe(6) // 8.00 less the 2.00 that were overpaid for the first month
    await sound()
  })

  it('starts a new year, less what is left of the month', async () => {
    const yearly = await shop.buildPlan(creator, { name: 'Yearly', price_cents: 9_000, interval: 'year' })
    expect(await switchTo(yearly.id)).toMatchObject({ subscription: { tier_id: yearly.id } })
    await shop.settled()
    const total = (await paid()).reduce((sum, row) => sum + Number(row.amount), 0)
    expect(Math.round(total / 100)).toBe(90)
    expect(await refusalOf(fan, 'switch-subscription', { subscriptionId, productId: silver.id })).toMatchObject({
      body: { code: 'switch_too_cheap' },
    })
    await sound()
  })

  it('changes nothing if the card is declined', async () => {
    const { data } = await shop.stripe.subscriptions.list({ limit: 1 })
    const customer = String(data[0]?.customer)
    // The sandbox's card that can be saved but fails replaces the good one.
    const method = await shop.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
    await shop.stripe.subscriptions.update(data[0]?.id ?? '', { default_payment_method: method.id })
    expect(await refusalOf(fan, 'switch-subscription', { subscriptionId, productId: gold.id })).toMatchObject({
      status: 402,
      body: { code: 'card_declined' },
    })
    await shop.settled()
    expect(await paid()).toHaveLength(1)
    expect(await call(fan, 'verify-subscription', { creatorId: creator.profileId })).toMatchObject({
      subscription: { tier_id: silver.id, status: 'active' },
    })
  })

  it('rejects a retired plan and a plan of another creator', async () => {
    const retired = await shop.buildPlan(creator, { name: 'Old' })
    await creator.client.from('subscription_products').update({ is_active: false }).eq('id', retired.id).throwOnError()
    const foreign = await shop.buildPlan(await shop.buildCreator())
    const refuse = (productId: string) => refusalOf(fan, 'switch-subscription', { subscriptionId, productId })
    for (const { id } of [retired, foreign])
      expect(await refuse(id)).toMatchObject({ status: 404, body: { code: 'plan_not_found' } })
    expect(await paid()).toHaveLength(1)
  })
})
