import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../testing/gateway.ts'
import { expectBalancedBooks } from '../testing/expect-balanced-books.ts'
import { buildShop, call, type Plan, pay, refusalOf, type Shop } from '../testing/shop.ts'

const day = 86_400
let shop: Shop
let creator: Person
let plan: Plan
let fan: Person
async function open(): Promise<void> {
  shop = await buildShop()
  creator = await shop.buildCreator()
  plan = await shop.buildPlan(creator, {
    price_cents: 1_000,
    trial_days: 7,
    terms: [{ months: 3, percent_off: 10 }],
  })
}
beforeAll(open)
beforeEach(async () => {
  fan = await shop.gateway.signUp()
  await shop.gateway.query('update public.offers set ended_at = now() where ended_at is null')
})
afterAll(() => shop.close())

type NewOffer = { percent_off: number; periods: number; audience: string; plan_ids?: string[]; user_limit?: number }
async function buildOffer(about: Partial<NewOffer> = {}, seller = creator): Promise<string> {
  const offer = { percent_off: 40, periods: 2, audience: 'new', user_limit: 10, ...about }
  return (await seller.client.rpc('create_offer', offer).throwOnError()).data ?? ''
}
const checkout = async (person: Person = fan, more: object = {}) =>
  (await call<{ url: string }>(person, 'create-subscription-checkout', { productId: plan.id, ...more })).url
async function paid(person: Person = fan): Promise<number[]> {
  await shop.settled()
  const { data } = await person.client.from('transactions').select('amount').order('created_at').throwOnError()
  return data.map(({ amount }) => Number(amount))
}
const own = async (person: Person = fan) =>
  (
    await person.client
      .from('subscriptions')
      .select('id, status, price_cents, current_period_start, offer:offer_uses(percent_off, until)')
      .order('created_at', { ascending: false })
      .limit(1)
      .single()
      .throwOnError()
      .overrideTypes<{ offer: { percent_off: number; until: string } | null }>()
  ).data
/** Months on, by a little more than each has. */
async function later(months: number): Promise<void> {
  for (let month = 0; month < months; month += 1) {
    shop.sandbox.advanceClock(31 * day)
    await shop.settled()
  }
}
const used = async (id: string) =>
  (await creator.client.from('offers').select('offers_used').eq('id', id).single().throwOnError()).data.offers_used

describe('an offer', () => {
  it('is a coupon of Stripe that repeats for the periods, or applies once', async () => {
    await buildOffer({ periods: 3, percent_off: 25 })
    await checkout()
    await buildOfferInstead({ periods: 1, percent_off: 50 })
    await checkout()
    const { data } = await shop.stripe.coupons.list({ limit: 2 })
    expect(data.map((coupon) => [coupon.name, coupon.percent_off, coupon.duration, coupon.duration_in_months])).toEqual(
      [
        ['50% off the first payment', 50, 'once', null],
        ['25% off for 3 months', 25, 'repeating', 3],
      ],
    )
  })

  it('gives its last place to one of several fans at the same moment [OFFER-04]', async () => {
    const id = await buildOffer({ user_limit: 1 })
    const fans = [fan, await shop.gateway.signUp(), await shop.gateway.signUp()]
    await Promise.all(fans.map((person) => checkout(person).catch(() => null)))
    const places = await shop.gateway.query(
      'select count(*)::int as places from public.offer_uses where offer_id = $1',
      [id],
    )
    expect(places).toEqual([{ places: 1 }])
    // The others get what everyone gets, and everyone pays for one subscription at most.
    for (const person of fans) await pay(await checkout(person))
    const amounts = await Promise.all(fans.map((person) => paid(person)))
    expect(amounts.flat()).toEqual([600])
    expect(await used(id)).toBe(1)
    await expectBalancedBooks(shop)
  })

  it('gives two clicks one page, and a page with other terms replaces it [OFFER-04]', async () => {
    const before = await checkout()
    await buildOffer()
    const [one, two] = await Promise.all([checkout(), checkout()])
    expect(one).toBe(two)
    expect(one).not.toBe(before)
    expect(await checkout()).toBe(one)
    await pay(one)
    expect(await paid()).toEqual([600])
  })

  it('is left to a better promotion code, and a worse one is rejected and not used [OFFER-04, SUB-02]', async () => {
    await buildOffer({ percent_off: 40, periods: 2 }) // saves $8.00 in the first year
    const code = (name: string, percentOff: number, duration: string) =>
      call(creator, 'create-promotion-code', { code: name, percentOff, duration })
    await code('WORSE', 50, 'once')
    await code('BETTER', 10, 'forever')
    const body = { productId: plan.id, promotionCode: 'WORSE' }
    const rejected = { status: 409, body: { code: 'promotion_below_offer' } }
    expect(await refusalOf(fan, 'create-subscription-checkout', body)).toMatchObject(rejected)
    expect(await refusalOf(fan, 'check-promotion-code', { productId: plan.id, code: 'WORSE' })).toMatchObject(rejected)
    expect(await call(fan, 'check-promotion-code', { productId: plan.id, code: 'BETTER' })).toMatchObject({
      discountedCents: 900,
    })
    await pay(await checkout(fan, { promotionCode: 'BETTER' }))
    expect(await paid()).toEqual([900])
    expect((await own()).offer).toBeNull()
  })

  it('gives way to the trial of a link that the fan has opened [LINK-03, OFFER-04]', async () => {
    await buildOffer()
    const until = new Date(Date.now() + 7 * day * 1000).toISOString()
    const { data: link } = await creator.client
      .from('tracking_links')
      .insert({ name: 'Trial', target: 'plan', plan_id: plan.id, trial_days: 14, trial_limit: 5, trial_until: until })
      .select('code')
      .single()
      .throwOnError()
    await fan.client
      .rpc('claim_link_visits', { visits: `${link.code}.${Math.floor(Date.now() / 1000)}` })
      .throwOnError()
    await pay(await checkout())
    await shop.settled()
    expect(await own()).toMatchObject({ status: 'trial', offer: null })
  })

  it('makes a coupon again that the operator has deleted at Stripe', async () => {
    const id = await buildOffer()
    await checkout()
    await shop.gateway.query(`update private.offer_coupons set stripe_coupon_id = 'gone' where offer_id = $1`, [id])
    const other = await shop.gateway.signUp()
    await pay(await checkout(other))
    expect(await paid(other)).toEqual([600])
    expect(
      await shop.gateway.query('select stripe_coupon_id from private.offer_coupons where offer_id = $1', [id]),
    ).not.toEqual([{ stripe_coupon_id: 'gone' }])
  })

  it('that is paid twice on two pages at once is used once, and what was paid too much is returned [OFFER-04]', async () => {
    const id = await buildOffer()
    const page = await checkout()
    await Promise.allSettled([pay(page), pay(page)])
    expect(await paid()).toEqual([600])
    expect(await used(id)).toBe(1)
    await expectBalancedBooks(shop)
  })

  it('is shown to visitors, new and former fans with the price before and now, and to no subscriber [OFFER-04]', async () => {
    const read = async (client: Person['client']) =>
      (await client.rpc('get_offers', { creator_profile_id: creator.profileId }).throwOnError()).data.filter(
        ({ plan_id }: { plan_id: string }) => plan_id === plan.id,
      )
    await buildOffer({ percent_off: 40, periods: 2, user_limit: 3, plan_ids: [plan.id] })
    const forNew = { interval_count: 1, price_cents: 1_000, offer_cents: 600, periods: 2, places_left: 3 }
    expect(await read(shop.gateway.anon)).toMatchObject([forNew, { interval_count: 3, offer_cents: 1_620 }])
    expect(await read(fan.client)).toMatchObject([forNew, { price_cents: 2_700 }])
    await pay(await checkout())
    await shop.settled()
    expect(await read(fan.client)).toEqual([])
    expect(await read(shop.gateway.anon)).toMatchObject([{ places_left: 2 }, { places_left: 2 }])
    await end(fan)
    await buildOffer({ percent_off: 20, periods: 1, audience: 'former' })
    expect(await read(fan.client)).toMatchObject([{ offer_cents: 800 }, {}])
    await pay(await checkout())
    expect(await paid()).toEqual([600, 800])
  })
})

describe('over time, an offer', () => {
  // Checkout pages end by the database's clock, which doesn't follow Stripe's.
  beforeEach(async () => {
    await shop.close()
    await open()
    fan = await shop.gateway.signUp()
  })

  it('takes its percentage off the first periods, and the price follows, with true books [OFFER-04]', async () => {
    const id = await buildOffer()
    await pay(await checkout())
    expect(await paid()).toEqual([600])
    const subscription = await own()
    // The trial of the plan is replaced, and the price of the subscription is the plan's.
    expect(subscription).toMatchObject({ status: 'active', price_cents: 1_000, offer: { percent_off: 40 } })
    const months = Date.parse(subscription.offer?.until ?? '') - Date.parse(subscription.current_period_start ?? '')
    expect(Math.round(months / 1000 / day / 30.4)).toBe(2)
    await later(3)
    expect(await paid()).toEqual([600, 600, 1_000, 1_000])
    expect(await used(id)).toBe(1)
    await expectBalancedBooks(shop)
  })

  it('takes its percentage off the terms of a plan, period by period [OFFER-01, OFFER-04]', async () => {
    await buildOffer({ percent_off: 50, periods: 2 })
    const url = await checkout(fan, { intervalCount: 3 })
    await pay(url)
    expect(await paid()).toEqual([1_350])
    await later(7)
    expect(await paid()).toEqual([1_350, 1_350, 2_700])
    await expectBalancedBooks(shop)
  })

  it('covers one payment of a weekly plan, and three years of a yearly one [OFFER-04]', async () => {
    await buildOffer({ percent_off: 50, periods: 12 })
    const people: Person[] = []
    for (const interval of ['week', 'year']) {
      const { id } = await shop.buildPlan(creator, { name: interval, price_cents: 1_000, interval })
      const person = await shop.gateway.signUp()
      await pay(await checkout(person, { productId: id }))
      people.push(person)
    }
    await shop.settled()
    const { data } = await shop.stripe.coupons.list({ limit: 2 })
    expect(data.map((coupon) => coupon.duration_in_months)).toEqual([36, null])
    shop.sandbox.advanceClock(8 * day)
    expect(await Promise.all(people.map((person) => paid(person)))).toEqual([[500, 1_000], [500]])
  })

  it('that ends early closes open pages, and subscribers keep it [OFFER-04]', async () => {
    const id = await buildOffer()
    await pay(await checkout())
    await shop.settled()
    const late = await shop.gateway.signUp()
    const page = await checkout(late)
    await creator.client.rpc('end_offer', { offer_id: id }).throwOnError()
    await shop.settled()
    expect((await pay(page).catch(() => ({ status: 410 }))).status).not.toBe(303)
    expect(await paid(late)).toEqual([])
    await later(1)
    expect(await paid()).toEqual([600, 600])
  })

  it.each([1, 2])(
    'keeps the plan until the last of %i periods that it covers is over, and then a switch costs the difference [OFFER-04, SUB-04]',
    async (periods) => {
      const dearer = await shop.buildPlan(creator, { name: 'Front row', price_cents: 3_000 })
      await buildOffer({ periods, percent_off: 50 })
      await pay(await checkout())
      await shop.settled()
      const { id } = await own()
      const body = { subscriptionId: id, productId: dearer.id }
      for (let period = 0; period < periods; period += 1) {
        expect(await refusalOf(fan, 'switch-subscription', body)).toMatchObject({
          status: 409,
          body: { code: 'switch_discounted' },
        })
        await later(1)
      }
      await shop.gateway.query('update public.offer_uses set until = now() where subscription_id = $1', [id])
      await call(fan, 'switch-subscription', body)
      const amounts = await paid()
      expect(amounts.slice(0, periods + 1)).toEqual([...Array(periods).fill(500), 1_000])
      // For what is left of the period.
      expect(amounts).toHaveLength(periods + 2)
      expect(amounts.at(-1)).toBeGreaterThan(1_000)
      expect(amounts.at(-1)).toBeLessThanOrEqual(2_000)
      await expectBalancedBooks(shop)
    },
  )
})

/** Ends a subscription at once. */
async function end(person: Person): Promise<void> {
  const [row] = await shop.gateway.query<{ id: string }>(
    `select k.stripe_subscription_id as id from private.stripe_subscriptions k
     join public.subscriptions s on s.id = k.subscription_id where s.subscriber_id = $1`,
    [person.profileId],
  )
  await shop.stripe.subscriptions.cancel(row?.id ?? '')
  await shop.settled()
}

async function buildOfferInstead(about: Partial<NewOffer>): Promise<string> {
  await shop.gateway.query('update public.offers set ended_at = now() where ended_at is null')
  return buildOffer(about)
}
