import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectBalancedBooks } from '../payments/testing/expect-balanced-books.ts'
import { buildShop, call, type Plan, pay, refusalOf, type Shop } from '../payments/testing/shop.ts'
import type { Person } from '../testing/gateway.ts'

const day = 86_400
let shop: Shop
let creator: Person
let plan: Plan
let fan: Person
beforeAll(async () => {
  shop = await buildShop()
  creator = await shop.buildCreator()
  plan = await shop.buildPlan(creator, {
    price_cents: 1_000,
    terms: [
      { months: 3, percent_off: 10 },
      { months: 12, percent_off: 25 },
    ],
  })
})
beforeEach(async () => {
  fan = await shop.gateway.signUp()
})
afterAll(() => shop.close())

const checkout = (intervalCount?: number, productId = plan.id) =>
  call<{ url: string }>(fan, 'create-subscription-checkout', { productId, intervalCount })
async function subscribe(intervalCount: number): Promise<string> {
  const { url } = await checkout(intervalCount)
  expect(await pay(url)).toMatchObject({ status: 303 })
  await shop.settled()
  return (await own()).id
}
const own = async () =>
  (
    await fan.client
      .from('subscriptions')
      .select('id, price_cents, interval_count, status, current_period_start, current_period_end')
      .single()
      .throwOnError()
  ).data
const months = async () => {
  const { current_period_start: start, current_period_end: end } = await own()
  return Math.round((Date.parse(end ?? '') - Date.parse(start ?? '')) / 1000 / day / 30.4)
}
const paid = async () => {
  await shop.settled()
  const { data } = await fan.client.from('transactions').select('amount').order('created_at').throwOnError()
  return data.map(({ amount }) => Number(amount))
}
const total = async () => (await paid()).reduce((sum, cents) => sum + cents, 0)
const switchTo = (subscriptionId: string, intervalCount: number, productId = plan.id) =>
  call(fan, 'switch-subscription', { subscriptionId, productId, intervalCount })
const sound = () => expectBalancedBooks(shop)

describe('a plan for several months at a time', () => {
  it("has a price of its own at Stripe for each term, which Stripe's page shows [OFFER-01]", async () => {
    const { data: terms } = await shop.gateway.anon
      .from('plan_terms')
      .select('months, percent_off, price_cents')
      .eq('product_id', plan.id)
      .order('months')
      .throwOnError()
    expect(terms).toEqual([
      { months: 3, percent_off: 10, price_cents: 2_700 },
      { months: 12, percent_off: 25, price_cents: 9_000 },
    ])
    const rows = await shop.gateway.query<{ id: string }>(
      'select stripe_price_id as id from private.stripe_prices where product_id = $1 order by interval_count',
      [plan.id],
    )
    const prices = await Promise.all(rows.map(({ id }) => shop.stripe.prices.retrieve(id)))
    expect(
      prices.map(({ unit_amount, recurring }) => [unit_amount, recurring?.interval, recurring?.interval_count]),
    ).toEqual([
      [1_000, 'month', 1],
      [2_700, 'month', 3],
      [9_000, 'month', 12],
    ])
    const { url } = await checkout(3)
    expect(await (await fetch(url)).text()).toContain('every 3 months')
  })

  it('is paid for the term, and renews at the same term and price [OFFER-01]', async () => {
    await subscribe(3)
    expect(await own()).toMatchObject({ price_cents: 2_700, interval_count: 3, status: 'active' })
    expect(await months()).toBe(3)
    shop.sandbox.advanceClock(80 * day)
    expect(await paid()).toEqual([2_700])
    shop.sandbox.advanceClock(13 * day)
    expect(await paid()).toEqual([2_700, 2_700])
    expect(await own()).toMatchObject({ price_cents: 2_700, interval_count: 3 })
    await sound()
  })

  it('opens one page for each term, and the earlier one can no longer be paid [OFFER-01]', async () => {
    const { url: quarter } = await checkout(3)
    expect((await checkout(3)).url).toBe(quarter)
    const { url: year } = await checkout(12)
    expect(year).not.toBe(quarter)
    expect((await fetch(quarter)).status).toBe(410)
    expect((await pay(year)).status).toBe(303)
    expect(await paid()).toEqual([9_000])
    expect(await own()).toMatchObject({ interval_count: 12 })
    await sound()
  })

  it('is refunded in full, and its access ends [OFFER-01]', async () => {
    await subscribe(12)
    const { data } = await fan.client.from('transactions').select('id').single().throwOnError()
    await call(creator, 'refund-payment', { transactionId: data.id, reason: 'Not what you expected' })
    expect(await total()).toBe(0)
    expect(await own()).toMatchObject({ status: 'canceled' })
    await sound()
  })

  it('is taken back by a dispute, and its access ends [OFFER-01]', async () => {
    await subscribe(3)
    const [payment] = await shop.gateway.query<{ cause: string }>(
      `select l.cause from public.transactions t join private.ledger_transactions l on l.id = t.ledger_transaction_id where t.from_user_id = $1`,
      [fan.profileId],
    )
    const invoice = await shop.stripe.invoices.retrieve(payment?.cause ?? '', { expand: ['payments'] })
    const intent = await shop.stripe.paymentIntents.retrieve(
      String(invoice.payments?.data[0]?.payment.payment_intent ?? ''),
    )
    shop.sandbox.openDispute(String(intent.latest_charge))
    await shop.settled()
    expect(await own()).toMatchObject({ status: 'canceled' })
    await sound()
  })
})

describe('switching terms', () => {
  it('begins the new term today, less what is left of the old one [OFFER-01, SUB-04]', async () => {
    const id = await subscribe(1)
    expect(await switchTo(id, 3)).toMatchObject({ subscription: { tier: { price_cents: 2_700, interval_count: 3 } } })
    expect(Math.round((await total()) / 10)).toBe(270)
    expect(await months()).toBe(3)
    await sound()
  })

  it('twice in a minute costs the last term once [OFFER-01]', async () => {
    const id = await subscribe(1)
    await switchTo(id, 3)
    await switchTo(id, 12)
    expect(Math.round((await total()) / 10)).toBe(900)
    expect(await own()).toMatchObject({ interval_count: 12, price_cents: 9_000 })
    // A double click on the same term changes nothing.
    expect(
      await refusalOf(fan, 'switch-subscription', { subscriptionId: id, productId: plan.id, intervalCount: 12 }),
    ).toMatchObject({ status: 409, body: { code: 'already_subscribed' } })
    await sound()
  })

  it('at the same moment to two terms ends in one of them, and costs no more than both ways', async () => {
    const id = await subscribe(1)
    await Promise.allSettled([switchTo(id, 3), switchTo(id, 12)])
    const { interval_count: count } = await own()
    expect([270, 900]).toContain(Math.round((await total()) / 10))
    expect(Math.round((await total()) / 10)).toBe(count === 3 ? 270 : 900)
    await sound()
  })

  it('to a shorter one waits until it has been paid for, like a cheaper plan [OFFER-01]', async () => {
    const id = await subscribe(12)
    expect(await refusalOf(fan, 'switch-subscription', { subscriptionId: id, productId: plan.id })).toMatchObject({
      status: 409,
      body: { code: 'switch_too_cheap' },
    })
    expect(await own()).toMatchObject({ interval_count: 12 })
    expect(await paid()).toEqual([9_000])
  })

  it('goes to another plan and its term at once', async () => {
    const gold = await shop.buildPlan(creator, {
      name: 'Gold',
      price_cents: 2_000,
      terms: [{ months: 6, percent_off: 0 }],
    })
    const id = await subscribe(3)
    await switchTo(id, 6, gold.id)
    expect(Math.round((await total()) / 10)).toBe(1_200)
    expect(await own()).toMatchObject({ interval_count: 6, price_cents: 12_000 })
    await sound()
  })
})

describe('the terms of a plan', () => {
  it.each([
    ['another number of months', [{ months: 2, percent_off: 0 }]],
    ['more than 50% off', [{ months: 3, percent_off: 51 }]],
    ['less than nothing off', [{ months: 3, percent_off: -1 }]],
    ['half a percent', [{ months: 3, percent_off: 0.5 }]],
    ['no discount', [{ months: 3 }]],
    [
      'a term twice',
      [
        { months: 3, percent_off: 0 },
        { months: 3, percent_off: 5 },
      ],
    ],
    ['no list', { months: 3, percent_off: 0 }],
  ])('refuse %s [OFFER-01]', async (_what, terms) => {
    const body = { name: 'Odd', price_cents: 1_000, interval: 'month', terms }
    expect(await refusalOf(creator, 'create-subscription-product', body)).toMatchObject({
      status: 400,
      body: { field: 'terms' },
    })
  })

  it('are for monthly plans [OFFER-01]', async () => {
    const terms = [{ months: 3, percent_off: 0 }]
    const refusal = { status: 422, body: { code: 'terms_need_months' } }
    const yearly = { name: 'Year', price_cents: 9_000, interval: 'year' }
    expect(await refusalOf(creator, 'create-subscription-product', { ...yearly, terms })).toMatchObject(refusal)
    const { id, name } = await shop.buildPlan(creator, yearly)
    expect(await refusalOf(creator, 'update-subscription-product', { id, name, terms })).toMatchObject(refusal)
  })

  it('change for new subscribers, and stay when they are left out [OFFER-01]', async () => {
    const { id, name } = await shop.buildPlan(creator, { terms: [{ months: 3, percent_off: 10 }] })
    const terms = () =>
      shop.gateway.query('select months, percent_off, price_cents from public.plan_terms where product_id = $1', [id])
    await call(creator, 'update-subscription-product', { id, name })
    expect(await terms()).toEqual([{ months: 3, percent_off: 10, price_cents: 2_697 }])
    await call(creator, 'update-subscription-product', { id, name, terms: [{ months: 6, percent_off: 20 }] })
    expect(await terms()).toEqual([{ months: 6, percent_off: 20, price_cents: 4_795 }])
    expect(await refusalOf(fan, 'create-subscription-checkout', { productId: id, intervalCount: 3 })).toMatchObject({
      status: 409,
      body: { code: 'term_not_sold' },
    })
    expect(await refusalOf(fan, 'create-subscription-checkout', { productId: id, intervalCount: 2 })).toMatchObject({
      status: 400,
      body: { field: 'intervalCount' },
    })
  })
})
