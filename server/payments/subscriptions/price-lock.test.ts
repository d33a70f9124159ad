import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../testing/gateway.ts'
import { sendPaymentEmails } from '../emails/payment-emails.ts'
import { expectBalancedBooks } from '../testing/expect-balanced-books.ts'
import { buildShop, call, type Plan, refusalOf, type Shop, subscribe } from '../testing/shop.ts'
import { movePrices } from './move-prices.ts'

const day = 86_400
let shop: Shop
let creator: Person
let plan: Plan
let fan: Person
beforeAll(async () => {
  shop = await buildShop()
})
beforeEach(async () => {
  creator = await shop.buildCreator()
  plan = await shop.buildPlan(creator, { name: 'Gold', price_cents: 1_000, terms: [{ months: 3, percent_off: 10 }] })
  fan = await shop.gateway.signUp()
  await subscribe(fan, plan)
  await shop.settled()
})
afterAll(() => shop.close())

const change = (cents: number) => call(creator, 'change-plan-price', { id: plan.id, price_cents: cents })
const move = () => creator.client.rpc('move_subscribers', { plan_id: plan.id }).throwOnError()
const own = async (person = fan) =>
  (
    await person.client
      .from('subscriptions')
      .select('id, price_cents, interval_count, cancel_at_period_end')
      .single()
      .throwOnError()
  ).data
const paid = async (person = fan) => {
  await shop.settled()
  const { data } = await person.client.from('transactions').select('amount').order('created_at').throwOnError()
  return data.map(({ amount }) => Number(amount))
}
const stripeId = async () =>
  (
    await shop.gateway.query<{ id: string }>(
      `select k.stripe_subscription_id as id from private.stripe_subscriptions k join public.subscriptions s on s.id = k.subscription_id
       where s.subscriber_id = $1`,
      [fan.profileId],
    )
  )[0]?.id ?? ''
const priceAtStripe = async () => (await shop.stripe.subscriptions.retrieve(await stripeId())).items.data[0]?.price
/** The notice was given, and its email sent, 32 days ago by the database's clock. */
async function letNoticePass() {
  const { query } = shop.gateway
  await query('alter table public.price_moves disable trigger price_moves_guard')
  await query(
    `update public.price_moves set notified_at = notified_at - interval '32 days', moves_at = moves_at - interval '32 days' where done_at is null`,
  )
  await query('alter table public.price_moves enable trigger price_moves_guard')
  await query(
    `update private.payment_emails set sent_at = sent_at - interval '32 days' where kind = 'price_change' and not is_skipped`,
  )
}
async function runJob() {
  await movePrices(shop.gateway.services)
  await shop.settled()
}

describe('a new price', () => {
  it('is what new subscribers pay, and others keep theirs at each renewal [OFFER-08]', async () => {
    await change(1_500)
    const newcomer = await shop.gateway.signUp()
    await subscribe(newcomer, plan)
    expect(await paid(newcomer)).toEqual([1_500])
    shop.sandbox.advanceClock(32 * day)
    expect(await paid()).toEqual([1_000, 1_000])
    expect(await own()).toMatchObject({ price_cents: 1_000 })
    const { data: terms } = await fan.client
      .from('plan_terms')
      .select('price_cents')
      .eq('product_id', plan.id)
      .throwOnError()
    expect(terms).toEqual([{ price_cents: 4_050 }])
    await expectBalancedBooks(shop)
  })

  it('closes pages that show the earlier one [OFFER-08]', async () => {
    const newcomer = await shop.gateway.signUp()
    const { url } = await call<{ url: string }>(newcomer, 'create-subscription-checkout', { productId: plan.id })
    await change(1_500)
    await shop.settled()
    expect((await fetch(url)).status).toBe(410)
    expect(await paid(newcomer)).toEqual([])
  })

  it("is the plan's creator's to set, from $1.00 to $9,999.99 [OFFER-08]", async () => {
    for (const person of [fan, await shop.buildCreator()])
      expect(await refusalOf(person, 'change-plan-price', { id: plan.id, price_cents: 1_500 })).toMatchObject({
        status: 404,
      })
    for (const cents of [99, 1_000_000, 10.5, undefined])
      expect(await refusalOf(creator, 'change-plan-price', { id: plan.id, price_cents: cents })).toMatchObject({
        status: 400,
        body: { field: 'price_cents' },
      })
  })

  it('can go back to an earlier one, whose price at Stripe is used again', async () => {
    await change(1_500)
    await change(1_000)
    expect(
      await shop.gateway.query('select count(*)::int as prices from private.stripe_prices where product_id = $1', [
        plan.id,
      ]),
    ).toEqual([{ prices: 4 }])
    expect(
      await refusalOf(fan, 'switch-subscription', { subscriptionId: (await own()).id, productId: plan.id }),
    ).toMatchObject({
      body: { code: 'already_subscribed' },
    })
  })
})

describe('moving subscribers', () => {
  it('charges the new price from the first renewal after the notice, and nothing before [OFFER-08]', async () => {
    await change(1_500)
    await move()
    await runJob()
    expect(await priceAtStripe()).toMatchObject({ unit_amount: 1_000 })
    await sendPaymentEmails(shop.gateway.services)
    await letNoticePass()
    await runJob()
    expect(await priceAtStripe()).toMatchObject({ unit_amount: 1_500 })
    expect(await own()).toMatchObject({ price_cents: 1_500 })
    expect(await paid()).toEqual([1_000])
    shop.sandbox.advanceClock(32 * day)
    expect(await paid()).toEqual([1_000, 1_500])
    await expectBalancedBooks(shop)
  })

  it('sends an email with both prices, also to fans who have turned emails off [OFFER-08]', async () => {
    await shop.gateway.query('update private.user_settings set email = false where user_id = $1', [fan.profileId])
    await change(1_500)
    await move()
    await sendPaymentEmails(shop.gateway.services)
    const folder = join(shop.gateway.dataDir, 'outbox')
    const [email, ...more] = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .filter((text) => text.includes(fan.email) && text.includes('Your price for Gold will change'))
    expect(more).toEqual([])
    expect(email).toContain('$10.00 per month')
    expect(email).toContain('$15.00 per month')
  })

  it('does nothing to subscribers who got no email [OFFER-08]', async () => {
    await change(1_500)
    await move()
    await letNoticePass()
    await runJob()
    expect(await priceAtStripe()).toMatchObject({ unit_amount: 1_000 })
  })

  it('lets them leave with one press, and then charges nothing more [OFFER-08]', async () => {
    await change(1_500)
    await move()
    await sendPaymentEmails(shop.gateway.services)
    await call(fan, 'cancel-subscription', { subscriptionId: (await own()).id })
    await letNoticePass()
    await runJob()
    shop.sandbox.advanceClock(32 * day)
    expect(await paid()).toEqual([1_000])
    await expectBalancedBooks(shop)
  })

  it('keeps a switch that the subscriber makes after the notice', async () => {
    await change(1_500)
    await move()
    await sendPaymentEmails(shop.gateway.services)
    await letNoticePass()
    await call(fan, 'switch-subscription', { subscriptionId: (await own()).id, productId: plan.id, intervalCount: 3 })
    await runJob()
    expect(await priceAtStripe()).toMatchObject({ unit_amount: 4_050 })
    expect(await own()).toMatchObject({ interval_count: 3, price_cents: 4_050 })
    await expectBalancedBooks(shop)
  })
})

it('takes back a higher price that somebody set at Stripe without notice [OFFER-08]', async () => {
  await change(1_500)
  const [higher] = await shop.gateway.query<{ id: string }>(
    'select stripe_price_id as id from private.stripe_prices where product_id = $1 and interval_count = 1 and price_cents = 1500',
    [plan.id],
  )
  const id = await stripeId()
  const { items } = await shop.stripe.subscriptions.retrieve(id)
  await shop.stripe.subscriptions.update(id, {
    items: [{ id: items.data[0]?.id ?? '', price: higher?.id ?? '' }],
    proration_behavior: 'none',
  })
  await shop.settled()
  expect(await priceAtStripe()).toMatchObject({ unit_amount: 1_000 })
  expect(await own()).toMatchObject({ price_cents: 1_000 })
  shop.sandbox.advanceClock(32 * day)
  expect(await paid()).toEqual([1_000, 1_000])
})
