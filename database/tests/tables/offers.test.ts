import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Caller,
  type Creator,
  type DatabaseFixture,
  openDatabaseFixture,
  type Person,
} from '../database-fixture.ts'

let world: DatabaseFixture
let creator: Creator
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
})
beforeEach(async () => {
  creator = await world.buildCreator()
  fan = await world.buildPerson()
})
afterAll(() => world.close())

type About = {
  percent?: number | null
  periods?: number | null
  audience?: string | null
  plans?: readonly string[] | null
  ends?: string | null
  limit?: number | null
}
async function build(about: About = {}, seller: Caller = creator): Promise<string> {
  const { percent, periods, audience, plans, ends, limit } = {
    percent: 40,
    periods: 2,
    audience: 'new',
    plans: null,
    ends: null,
    limit: 2,
    ...about,
  }
  const [row] = await world.as(seller, 'select public.create_offer($1, $2, $3, $4, now() + $5::interval, $6) as id', [
    percent,
    periods,
    audience,
    plans,
    ends,
    limit,
  ])
  return String(row?.id)
}
const quoted = async (person: Person = fan, plan = creator.productId, count = 1) =>
  (
    await world.as('service_role', 'select offer_id, percent_off, months from private.quote_offer($1, $2, $3, null)', [
      person.profileId,
      plan,
      count,
    ])
  )[0]
const hold = (offer: string, person: Person = fan) =>
  world.as('service_role', 'select private.hold_offer($1, $2) as until', [offer, person.profileId])
const openPage = (offer: string, person: Person = fan) =>
  world.query(
    `insert into private.checkout_sessions (id, kind, profile_id, creator_id, product_id, offer_id, url)
     values ($1, 'subscription', $2, $3, $4, $5, 'https://pay.example')`,
    [`cs_${person.username}`, person.profileId, creator.profileId, creator.productId, offer],
  )
/** As the server does: a place, a checkout session, and then Stripe's state of the subscription. */
async function take(offer: string, person: Person = fan): Promise<string> {
  await hold(offer, person)
  await openPage(offer, person)
  await world.subscribe(person, creator)
  const [row] = await world.query('select id from public.subscriptions where subscriber_id = $1', [person.profileId])
  for (const _ of [1, 2]) await world.as('service_role', 'select private.note_offer_use($1, $2)', [row?.id, offer])
  await world.query(`update private.checkout_sessions set status = 'complete' where id = $1`, [`cs_${person.username}`])
  return String(row?.id)
}
const seen = (caller: Caller) =>
  world.as(
    caller,
    'select plan_id, interval_count, percent_off, periods, price_cents, offer_cents, places_left from public.get_offers($1)',
    [creator.profileId],
  )
const later = (offer: string, time: string) =>
  world.query(`update public.offer_uses set held_until = now() + $2::interval where offer_id = $1`, [offer, time])

describe('making an offer', () => {
  it('rejects what is out of range, each with its reason [OFFER-04]', async () => {
    const wrong: readonly (readonly [About, string])[] = [
      [{ percent: 0 }, 'percent_off'],
      [{ percent: 100 }, 'percent_off'],
      [{ percent: null }, 'percent_off'],
      [{ periods: 0 }, 'periods'],
      [{ periods: 13 }, 'periods'],
      [{ periods: null }, 'periods'],
      [{ audience: 'everyone' }, 'audience'],
      [{ audience: null }, 'audience'],
      [{ ends: null, limit: null }, 'ends_at, user_limit, or both'],
      [{ ends: '-1 minute' }, 'ends_at'],
      [{ ends: '2 years' }, 'ends_at'],
      [{ limit: 0 }, 'user_limit'],
      [{ limit: 100_001 }, 'user_limit'],
    ]
    for (const [about, field] of wrong)
      await expect(build(about)).rejects.toMatchObject({ code: '22023', message: expect.stringContaining(field) })
    expect(await world.query('select from public.offers where creator_id = $1', [creator.profileId])).toEqual([])
  })

  it('is for approved creators, and for their own active plans [OFFER-04]', async () => {
    const other = await world.buildCreator()
    await expect(build({}, fan)).rejects.toMatchObject({ code: '42501' })
    await expect(build({}, 'anon')).rejects.toMatchObject({ code: '42501' })
    for (const plans of [[], [other.productId], [creator.productId, other.productId]])
      await expect(build({ plans })).rejects.toMatchObject({ code: 'PT404', detail: 'plan_not_found' })
    await world.query('update public.subscription_products set is_active = false where id = $1', [creator.productId])
    await expect(build()).rejects.toMatchObject({ code: 'PT404' })
    await expect(build({ plans: [creator.productId] })).rejects.toMatchObject({ code: 'PT404' })
  })

  it('rejects a price that no card can be charged, and such a later price has no offer [OFFER-04]', async () => {
    await expect(build({ percent: 96 })).rejects.toMatchObject({ code: 'PT422', detail: 'offer_too_cheap' })
    const offer = await build({ percent: 90 })
    expect(await quoted()).toMatchObject({ offer_id: offer })
    await world.query('update public.subscription_products set price_cents = 490 where id = $1', [creator.productId])
    expect(await quoted()).toBeUndefined()
    expect(await seen(fan)).toEqual([])
  })

  it('leaves a plan one open offer for the same fans, also from two devices at once [OFFER-04]', async () => {
    const both = await Promise.allSettled([build(), build()])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const overlaps = { code: 'PT409', detail: 'offer_overlaps' }
    await expect(build({ audience: 'all' })).rejects.toMatchObject(overlaps)
    await expect(build({ plans: [creator.productId] })).rejects.toMatchObject(overlaps)
    await build({ audience: 'former' })
    const [open] = await world.as(creator, `select id from public.offers where audience = 'new'`)
    await world.as(creator, 'select public.end_offer($1)', [open?.id])
    // Nobody can take one that is used up, so another one can follow.
    const last = await build({ plans: [creator.productId], limit: 1 })
    await expect(build()).rejects.toMatchObject(overlaps)
    await take(last)
    await build()
  })

  it('has a limit of 50 a day', async () => {
    await world.query(
      `insert into public.offers (creator_id, percent_off, periods, audience, is_for_all_plans, user_limit, ended_at)
       select $1, 10, 1, 'new', true, 1, now() from generate_series(1, 50)`,
      [creator.profileId],
    )
    await expect(build()).rejects.toMatchObject({ code: 'PT409', hint: 'Try again tomorrow.' })
  })
})

describe('an offer', () => {
  it('applies to its plans and fans, and what is for all plans also to later ones [OFFER-04]', async () => {
    const later = await world.buildProduct(creator, 1_500)
    const offer = await build({ plans: [creator.productId] })
    expect(await quoted()).toEqual({ offer_id: offer, percent_off: 40, months: 2 })
    expect(await quoted(fan, later)).toBeUndefined()
    const all = await build({ audience: 'former' })
    const newest = await world.buildProduct(creator, 2_500)
    await world.subscribe(fan, creator, { status: 'canceled' })
    expect(await quoted(fan, newest)).toMatchObject({ offer_id: all })
    expect(await quoted()).toMatchObject({ offer_id: all })
    await world.query('update public.subscription_products set is_active = false where id = $1', [newest])
    expect(await quoted(fan, newest)).toBeUndefined()
  })

  it('is for no subscriber, and each fan has it once [OFFER-04]', async () => {
    const offer = await build({ audience: 'all' })
    await take(offer)
    expect(await quoted()).toBeUndefined()
    await world.query(
      `update public.subscriptions set status = 'canceled', access_until = now() where subscriber_id = $1`,
      [fan.profileId],
    )
    expect(await quoted()).toBeUndefined()
    await expect(hold(offer)).rejects.toMatchObject({ code: 'PT409', detail: 'offer_over' })
  })

  it('ends with its date, its last place, and the decision of its creator [OFFER-04]', async () => {
    const dated = await build({ ends: '1 hour', limit: null })
    await world.query(`update public.offers set ends_at = now() where id = $1`, [dated])
    expect(await quoted()).toBeUndefined()
    const limited = await build({ limit: 1 })
    await take(limited, await world.buildPerson())
    expect(await quoted()).toBeUndefined()
    const offer = await build()
    expect(await quoted()).toMatchObject({ offer_id: offer })
    await openPage(offer)
    for (const other of [fan, await world.buildCreator()])
      await expect(world.as(other, 'select public.end_offer($1)', [offer])).rejects.toMatchObject({ code: 'PT404' })
    await world.as(creator, 'select public.end_offer($1)', [offer])
    expect(await quoted()).toBeUndefined()
    expect(
      await world.query(`select kind from private.payment_tasks where target = $1`, [`cs_${fan.username}`]),
    ).toEqual([{ kind: 'close_checkout' }])
    const [{ ended_at } = {}] = await world.query('select ended_at from public.offers where id = $1', [offer])
    await world.as(creator, 'select public.end_offer($1)', [offer])
    expect(await world.query('select ended_at from public.offers where id = $1', [offer])).toEqual([{ ended_at }])
  })

  it('gives no more places than it says, also at the same moment, and frees those that nobody used [OFFER-04]', async () => {
    const offer = await build({ limit: 2 })
    const people = await Promise.all([1, 2, 3, 4].map(() => world.buildPerson()))
    const answers = await Promise.allSettled(people.map((person) => hold(offer, person)))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'PT409', detail: 'offer_over' },
    })
    expect(await quoted()).toBeUndefined()
    await later(offer, '-1 minute')
    expect(await quoted()).toMatchObject({ offer_id: offer })
    const [one, two] = [await world.buildPerson(), await world.buildPerson()]
    await take(offer, one)
    await hold(offer, two)
    await openPage(offer, two)
    await later(offer, '-1 minute')
    // A page that is open can still be paid.
    expect(await quoted()).toBeUndefined()
    await world.query(`update private.checkout_sessions set status = 'expired' where id = $1`, [`cs_${two.username}`])
    expect(await seen('anon')).toMatchObject([{ places_left: 1 }])
    // A place stays taken after the account is gone.
    await world.as('service_role', 'select private.delete_account($1)', [one.userId])
    expect(await seen('anon')).toMatchObject([{ places_left: 1 }])
    await take(offer)
    expect(await seen('anon')).toEqual([])
    expect(
      await world.as(creator, 'select public.offers_used(o) as used from public.offers o where id = $1', [offer]),
    ).toEqual([{ used: 2 }])
  })

  it('returns the same time to two clicks, always half an hour ahead [OFFER-04]', async () => {
    const offer = await build()
    const [first] = await hold(offer)
    expect(await hold(offer)).toEqual([first])
    await later(offer, '20 minutes')
    const [again] = await hold(offer)
    expect(Number(again?.until)).toBeGreaterThan(Date.now() + 50 * 60_000)
  })

  it('is noted once, for a subscription that has begun, until its last period ends [OFFER-04]', async () => {
    const offer = await build({ periods: 3, limit: 1 })
    await hold(offer)
    await world.subscribe(fan, creator, { status: 'incomplete' })
    const [own] = await world.query('select id from public.subscriptions where subscriber_id = $1', [fan.profileId])
    const note = () => world.as('service_role', 'select private.note_offer_use($1, $2)', [own?.id, offer])
    const uses = () => world.as(fan, 'select subscription_id, percent_off, until from public.offer_uses')
    await note()
    expect(await uses()).toEqual([])
    await world.query(`update public.subscriptions set status = 'active' where id = $1`, [own?.id])
    await note()
    const [use, ...others] = await uses()
    expect(others).toEqual([])
    expect(use).toMatchObject({ subscription_id: own?.id, percent_off: 40 })
    await world.query(
      `update public.subscriptions set current_period_start = now() + interval '1 year' where id = $1`,
      [own?.id],
    )
    await note()
    expect(await uses()).toEqual([use])
    expect(await world.query('select private.has_offer_discount($1) as has', [own?.id])).toEqual([{ has: true }])
    await world.query('update public.offer_uses set until = now() where offer_id = $1', [offer])
    expect(await world.query('select private.has_offer_discount($1) as has', [own?.id])).toEqual([{ has: false }])
  })

  it.each([
    ['day', 1, 5, 1, 0],
    ['week', 1, 5, 1, 0],
    ['month', 1, 1, 1, 0],
    ['month', 1, 12, 12, 12],
    ['month', 3, 12, 12, 36],
    ['month', 6, 12, 6, 36],
    ['month', 12, 2, 2, 24],
    ['month', 12, 12, 3, 36],
    ['year', 1, 1, 1, 0],
    ['year', 1, 12, 3, 36],
  ])(
    'covers, of a plan by the %s for %i and %i periods, %i with a coupon of %i months [OFFER-04]',
    async (...given) => {
      const [interval, count, periods, covered, months] = given
      expect(
        await world.query(
          'select private.offer_periods($1, $2, $3) as covered, private.offer_months($1, $2, $3) as months',
          [interval, count, periods],
        ),
      ).toEqual([{ covered, months }])
    },
  )
})

describe('what an offer costs', () => {
  it('is shown for each term, to visitors as to new subscribers, and to its creator [OFFER-04]', async () => {
    await world.query(
      `insert into public.plan_terms (product_id, creator_id, months, percent_off, price_cents) values ($1, $2, 12, 25, 8991)`,
      [creator.productId, creator.profileId],
    )
    await build({ percent: 50, periods: 5, limit: 7 })
    const plan = { plan_id: creator.productId, percent_off: 50, places_left: 7 }
    const expected = [
      { ...plan, interval_count: 1, periods: 5, price_cents: 999, offer_cents: 499 },
      { ...plan, interval_count: 12, periods: 3, price_cents: 8_991, offer_cents: 4_495 },
    ]
    for (const caller of ['anon', fan, creator] as const) expect(await seen(caller)).toEqual(expected)
    // The price that Stripe computes, too: half a cent goes to the buyer.
    await world.query('update private.profiles set is_private = true where id = $1', [creator.profileId])
    for (const caller of ['anon', fan] as const) expect(await seen(caller)).toEqual([])
    expect(await seen(creator)).toEqual(expected)
  })

  it.each([
    // An offer of 40% off two months saves $8.00 in the first year, of a plan of $9.99.
    [{ percent: 79, duration: 'once' }, false],
    [{ percent: 81, duration: 'once' }, true],
    [{ percent: 6, duration: 'forever' }, false],
    [{ percent: 7, duration: 'forever' }, true],
    [{ percent: 26, duration: 'repeating', months: 3 }, false],
    [{ percent: 27, duration: 'repeating', months: 3 }, true],
    [{ amount: 500, duration: 'repeating', months: 36 }, true],
  ])('is compared with a promotion code over the first year: %o [OFFER-04, SUB-02]', async (code, isBetter) => {
    await build()
    await world.query(
      `insert into private.promotion_codes (creator_id, code, percent_off, amount_off_cents, duration, duration_months, stripe_coupon_id, stripe_promotion_id)
       values ($1, 'CODE', $2, $3, $4, $5, 'coupon', 'promo_' || gen_random_uuid())`,
      [
        creator.profileId,
        'percent' in code ? code.percent : null,
        'amount' in code ? code.amount : null,
        code.duration,
        'months' in code ? code.months : null,
      ],
    )
    const quote = world.as('service_role', `select offer_id from private.quote_offer($1, $2, 1, 'CODE')`, [
      fan.profileId,
      creator.productId,
    ])
    if (isBetter) expect(await quote).toEqual([])
    else await expect(quote).rejects.toMatchObject({ code: 'PT409', detail: 'promotion_below_offer' })
  })
})
