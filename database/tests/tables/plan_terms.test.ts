import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

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

type Price = { interval_count: number; percent_off: number; price_cents: number }
const single = { interval_count: 1, percent_off: 0, price_cents: 999 }
const quarter = { interval_count: 3, percent_off: 10, price_cents: 2_697 }
const year = { interval_count: 12, percent_off: 50, price_cents: 5_994 }

const setPrices = (prices: readonly Price[], plan = creator.productId) =>
  world.as('service_role', 'select private.set_plan_prices($1, $2)', [
    plan,
    JSON.stringify(
      prices.map((price) => ({
        ...price,
        stripe_price_id: `price_${plan}_${price.interval_count}_${price.price_cents}`,
      })),
    ),
  ])
const termsSeenBy = (caller: Person | 'anon') =>
  world.as(
    caller,
    'select months, percent_off, price_cents from public.plan_terms where product_id = $1 order by months',
    [creator.productId],
  )
const quote = (intervalCount: number, code: string | null = null) =>
  world.as('service_role', 'select stripe_price_id from private.quote_subscription($1, $2, $3, $4)', [
    fan.profileId,
    creator.productId,
    code,
    intervalCount,
  ])
const subscribeTo = (count: number, cents: number | null, plan = creator.productId, state = 'active') =>
  world.as(
    'service_role',
    `select private.apply_subscription_state($1, $2, $3, $4, $5, now(), now() + make_interval(months => $6), null, false, null, now(), $7, $6) as id`,
    [`sub_${fan.profileId}`, fan.profileId, creator.profileId, plan, state, count, cents],
  )
const ownTerm = async () =>
  (await world.as(fan, 'select price_cents, interval_count from public.subscriptions order by created_at'))[0]

describe('the terms of a plan', () => {
  it('are read by everyone who sees the plan, and written by the server alone [OFFER-01]', async () => {
    await setPrices([single, quarter, year])
    const all = [
      { months: 3, percent_off: 10, price_cents: 2_697 },
      { months: 12, percent_off: 50, price_cents: 5_994 },
    ]
    for (const caller of [creator, fan, 'anon'] as const) expect(await termsSeenBy(caller)).toEqual(all)
    await world.query('update public.subscription_products set is_active = false where id = $1', [creator.productId])
    expect(await termsSeenBy(fan)).toEqual([])
    expect(await termsSeenBy(creator)).toEqual(all)
    for (const statement of [
      'update public.plan_terms set percent_off = 50',
      'delete from public.plan_terms',
      `insert into public.plan_terms (product_id, creator_id, months, percent_off, price_cents)
       values ('${creator.productId}', '${creator.profileId}', 6, 0, 1)`,
      `select private.set_plan_prices('${creator.productId}', '[]')`,
      'select * from private.stripe_prices',
    ])
      await expect(world.as(creator, statement)).rejects.toMatchObject(refused)
  })

  it('are 3, 6, and 12 months at 0 to 50% off, of a monthly plan, at the price that follows [OFFER-01]', async () => {
    await expect(setPrices([single, { interval_count: 3, percent_off: 51, price_cents: 1_469 }])).rejects.toMatchObject(
      {
        constraint: 'plan_terms_percent_off_range',
      },
    )
    await expect(setPrices([single, { interval_count: 2, percent_off: 0, price_cents: 1_998 }])).rejects.toMatchObject({
      code: '23514',
    })
    await expect(setPrices([single, { ...quarter, price_cents: 2_600 }])).rejects.toMatchObject({ code: '22023' })
    await expect(setPrices([quarter])).rejects.toMatchObject({ code: '22023' })
    const yearly = await world.buildProduct(creator, 9_999, 'year')
    await expect(
      setPrices(
        [
          { ...single, price_cents: 9_999 },
          { interval_count: 3, percent_off: 0, price_cents: 29_997 },
        ],
        yearly,
      ),
    ).rejects.toMatchObject({ code: 'PT422', detail: 'terms_need_months' })
    expect(await termsSeenBy(creator)).toEqual([])
  })

  it('can be withdrawn: nobody new gets one, and subscribers keep theirs [OFFER-01]', async () => {
    await setPrices([single, quarter])
    expect(await quote(3)).toEqual([{ stripe_price_id: `price_${creator.productId}_3_2697` }])
    await subscribeTo(3, 2_697)
    await setPrices([single])
    expect(await termsSeenBy('anon')).toEqual([])
    expect(await ownTerm()).toEqual({ price_cents: 2_697, interval_count: 3 })
    const other = await world.buildPerson()
    fan = other
    await expect(quote(3)).rejects.toMatchObject({ code: 'PT409', detail: 'term_not_sold' })
    expect(await quote(1)).toEqual([{ stripe_price_id: `price_${creator.productId}_1_999` }])
  })
})

it('a plan that the version before makes during an upgrade has its price', async () => {
  await world.as(
    'service_role',
    `insert into private.stripe_products (product_id, stripe_product_id, stripe_price_id) values ($1::uuid, 'prod_' || $1, 'price_' || $1)`,
    [creator.productId],
  )
  expect(await quote(1)).toEqual([{ stripe_price_id: `price_${creator.productId}` }])
})

describe('a subscription for a term', () => {
  it('is one subscription: another term is a switch, not a second one [OFFER-01]', async () => {
    await setPrices([single, quarter, year])
    await subscribeTo(3, 2_697)
    await expect(quote(3)).rejects.toMatchObject({ detail: 'already_subscribed' })
    await expect(quote(12)).rejects.toMatchObject({ detail: 'switch_instead' })
    await subscribeTo(12, 5_994)
    expect(await ownTerm()).toEqual({ price_cents: 5_994, interval_count: 12 })
  })

  it('takes no promotion code, because a free month would be a free year', async () => {
    await setPrices([single, year])
    await expect(quote(12, 'ANY')).rejects.toMatchObject({ code: 'PT409', detail: 'promotion_not_for_terms' })
  })

  it("has the plan's price if Stripe's is unknown, and keeps its own until it is known", async () => {
    await setPrices([single, quarter])
    await subscribeTo(3, null)
    expect(await ownTerm()).toEqual({ price_cents: 2_697, interval_count: 3 })
    const gold = await world.buildProduct(creator, 2_000)
    await subscribeTo(1, null, gold)
    expect(await ownTerm()).toEqual({ price_cents: 2_000, interval_count: 1 })
  })

  it('counts as its price per month in the monthly value [OFFER-01, LOOP-24]', async () => {
    const admin = await world.buildAdmin()
    const read = async () => {
      const [row] = await world.as(admin, 'select subscriptions, monthly_cents from public.get_admin_overview()')
      return [Number(row?.subscriptions), Number(row?.monthly_cents)]
    }
    const [subscriptions = 0, cents = 0] = await read()
    await subscribeTo(12, 6_000)
    expect(await read()).toEqual([subscriptions + 1, cents + 500])
    // The subscriber's own price counts, not the plan's.
    await world.query('update public.subscription_products set price_cents = 5000 where id = $1', [creator.productId])
    expect(await read()).toEqual([subscriptions + 1, cents + 500])
  })

  it('gets a reminder two weeks before it renews, with its own price and term', async () => {
    await subscribeTo(6, 5_000)
    await world.query(
      `update public.subscriptions set current_period_end = now() + interval '13 days' where subscriber_id = $1`,
      [fan.profileId],
    )
    await world.query('select private.write_reminders()')
    expect(
      await world.query(
        'select kind, price_cents::int, plan_interval, interval_count from private.emails_to_send() where username = $1',
        [fan.username],
      ),
    ).toEqual([{ kind: 'renewal', price_cents: 5_000, plan_interval: 'month', interval_count: 6 }])
  })

  it('is paid twice by two subscriptions, and not by a switch to another term', async () => {
    const pay = async (subscription: string, cents: number) => {
      const [row] = await world.as(
        'service_role',
        `select private.post_subscription_payment('in_' || gen_random_uuid(), $1, $2, $3, $4, 0, 'usd', now(), $5) as id`,
        [fan.profileId, creator.profileId, creator.productId, cents, subscription],
      )
      return String(row?.id)
    }
    const isRepeated = async (id: string) =>
      (
        await world.query(
          'select private.is_repeated_payment(t) as repeated from public.transactions t where id = $1',
          [id],
        )
      )[0]?.repeated
    const [row] = await subscribeTo(3, 2_697)
    const first = await pay(String(row?.id), 999)
    await pay(String(row?.id), 2_000)
    expect(await isRepeated(first)).toBe(false)
    const second = await world.subscribe(fan, creator)
    await pay(second, 999)
    expect(await isRepeated(first)).toBe(true)
  })
})
