import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Person } from '../../testing/gateway.ts'
import { expectBalancedBooks } from '../testing/expect-balanced-books.ts'
import { buildShop, call, type Plan, refusalOf, type Shop, subscribe } from '../testing/shop.ts'

const day = 86_400
let shop: Shop
let creator: Person
let penny: Plan
let fan: Person
let subscriptionId: string
beforeAll(async () => {
  shop = await buildShop()
  creator = await shop.buildCreator()
  await creator.client.from('profiles').update({ tiered_access: true }).eq('id', creator.profileId).throwOnError()
  penny = await shop.buildPlan(creator, { name: 'Penny', price_cents: 100, trial_days: 30 })
})
beforeEach(async () => {
  fan = await shop.gateway.signUp()
  await subscribe(fan, penny)
  await shop.settled()
  const { data } = await fan.client.from('subscriptions').select('id').single().throwOnError()
  subscriptionId = data.id
})
afterAll(() => shop.close())

const switchTo = ({ id }: Plan) =>
  call<{ subscription: { status: string; trial_end: string } }>(fan, 'switch-subscription', {
    subscriptionId,
    productId: id,
  })
const paid = async () => {
  await shop.settled()
  const { data } = await fan.client.from('transactions').select('amount').order('created_at').throwOnError()
  return data.map(({ amount }) => Number(amount))
}
const daysLeft = (trialEnd: string) => Math.round((Date.parse(trialEnd) / 1000 - shop.sandbox.now()) / day)

it('a trial ends if a more expensive plan has none: its first period is paid before it unlocks anything [SUB-04, SUB-15]', async () => {
  const dear = await shop.buildPlan(creator, { name: 'Dear', price_cents: 50_000 })
  expect(await switchTo(dear)).toMatchObject({ subscription: { status: 'active', tier_id: dear.id } })
  expect(await paid()).toEqual([50_000])
  await expectBalancedBooks(shop)
})

it("a trial lasts as long as the more expensive plan’s own would have, and switching back doesn't extend it", async () => {
  const week = await shop.buildPlan(creator, { name: 'Week', price_cents: 50_000, trial_days: 7 })
  const { subscription } = await switchTo(week)
  expect(subscription).toMatchObject({ status: 'trial', tier_id: week.id })
  expect(daysLeft(subscription.trial_end)).toBe(7)
  const { subscription: back } = await switchTo(penny)
  expect(daysLeft(back.trial_end)).toBe(7)
  expect(await paid()).toEqual([])
  await switchTo(week)
  shop.sandbox.advanceClock(8 * day)
  expect(await paid()).toEqual([50_000])
})

it('a trial continues in a plan that costs no more', async () => {
  const even = await shop.buildPlan(creator, { name: 'Even', price_cents: 100 })
  const { subscription } = await switchTo(even)
  expect([subscription.status, daysLeft(subscription.trial_end)]).toEqual(['trial', 30])
  expect(await paid()).toEqual([])
})

it("if the card can't pay the more expensive plan, the fan keeps the trial", async () => {
  const dear = await shop.buildPlan(creator, { name: 'Too dear', price_cents: 60_000 })
  const { data } = await shop.stripe.subscriptions.list({ limit: 1 })
  const customer = String(data[0]?.customer)
  const method = await shop.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
  await shop.stripe.subscriptions.update(data[0]?.id ?? '', { default_payment_method: method.id })
  expect(await refusalOf(fan, 'switch-subscription', { subscriptionId, productId: dear.id })).toMatchObject({
    status: 402,
    body: { code: 'card_declined' },
  })
  expect(await call(fan, 'verify-subscription', { creatorId: creator.profileId })).toMatchObject({
    subscription: { tier_id: penny.id, status: 'trial' },
  })
  expect(await paid()).toEqual([])
})
