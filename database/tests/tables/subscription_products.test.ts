import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Caller,
  type Creator,
  type DatabaseFixture,
  openDatabaseFixture,
  type Person,
  refused,
} from '../database-fixture.ts'

let world: DatabaseFixture
let creator: Creator
let fan: Person
let admin: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  creator = await world.buildCreator()
  fan = await world.buildPerson()
  admin = await world.buildAdmin()
})
afterAll(() => world.close())

const insert = (creatorId: string, overrides: { price?: number; interval?: string; trial?: number } = {}) =>
  world.as(
    'service_role',
    'insert into public.subscription_products (creator_id, name, price_cents, interval, trial_days) values ($1, $2, $3, $4, $5) returning id',
    [creatorId, 'Plan', overrides.price ?? 999, overrides.interval ?? 'month', overrides.trial ?? 0],
  )

describe('subscription_products', () => {
  it('are written by the server, and creators can deactivate a plan [PROD-10, API-FN-03]', async () => {
    const own = `insert into public.subscription_products (creator_id, name, price_cents, interval) values ($1, 'Mine', 999, 'month')`
    await expect(world.as(creator, own, [creator.profileId])).rejects.toMatchObject(refused)
    await expect(world.as(creator, 'update public.subscription_products set price_cents = 100')).rejects.toMatchObject(
      refused,
    )
    await expect(world.as(creator, 'delete from public.subscription_products')).rejects.toMatchObject(refused)
    const retire = 'update public.subscription_products set is_active = not is_active where id = $1 returning id'
    expect(await world.as(fan, retire, [creator.productId])).toEqual([])
    expect(await world.as(creator, retire, [creator.productId])).toHaveLength(1)
    expect(await world.as(creator, retire, [creator.productId])).toHaveLength(1)
  })

  it('need an account that can take charges, also for the server [PROD-08, PROD-09]', async () => {
    const newcomer = await world.buildPerson()
    await world.query('update private.profiles set is_verified = true where id = $1', [newcomer.profileId])
    const message = 'Please complete Stripe onboarding before creating products'
    await expect(insert(newcomer.profileId)).rejects.toMatchObject({ code: 'PT409', message })
    await world.query(`update private.profiles set stripe_account_id = 'acct_newcomer' where id = $1`, [
      newcomer.profileId,
    ])
    await expect(insert(newcomer.profileId)).rejects.toMatchObject({ code: 'PT409', message })
    await world.query('update private.profiles set stripe_charges_enabled = true where id = $1', [newcomer.profileId])
    expect(await insert(newcomer.profileId)).toHaveLength(1)
  })

  it('need an approved creator [D25]', async () => {
    await world.query(
      `update private.profiles set stripe_account_id = 'acct_fan', stripe_charges_enabled = true where id = $1`,
      [fan.profileId],
    )
    await expect(insert(fan.profileId)).rejects.toMatchObject({ code: 'PT403' })
  })

  it.each([
    [{ price: 99 }, 'subscription_products_minimum_price'],
    [{ interval: 'decade' }, 'subscription_products_interval_check'],
    [{ trial: -1 }, 'subscription_products_trial_days_range'],
    [{ trial: 91 }, 'subscription_products_trial_days_range'],
  ])('refuses %o [PROD-05, PROD-07, PROD-11]', async (overrides, constraint) => {
    await expect(insert(creator.profileId, overrides)).rejects.toMatchObject({ code: '23514', constraint })
  })

  it('have up to ten benefits of one line each, which the server writes [LOOP-15]', async () => {
    const write = (benefits: (string | null)[]) =>
      world.as(
        'service_role',
        'update public.subscription_products set benefits = $2 where id = $1 returning benefits',
        [creator.productId, benefits],
      )
    const most = Array.from({ length: 10 }, () => 'é'.repeat(100))
    expect(await write(most)).toEqual([{ benefits: most }])
    for (const wrong of [['a\nb'], [''], ['x'.repeat(101)], [null], ['fine', null]])
      await expect(write(wrong)).rejects.toMatchObject({
        code: '23514',
        constraint: 'subscription_products_benefits_one_line_each',
      })
    await expect(write([...most, 'one more'])).rejects.toMatchObject({
      constraint: 'subscription_products_benefits_at_most_ten',
    })
    expect(await write([])).toEqual([{ benefits: [] }])
    for (const column of ['benefits = $$ {Mine} $$', 'position = 1', 'is_popular = true'])
      await expect(world.as(creator, `update public.subscription_products set ${column}`)).rejects.toMatchObject(
        refused,
      )
  })

  it('have the order that their creator gives them, and are ordered by price without one [LOOP-15]', async () => {
    const seller = await world.buildCreator() // $9.99
    const cheap = await world.buildProduct(seller, 300)
    const fair = await world.buildProduct(seller, 500)
    const order = async () =>
      (
        await world.as(
          'anon',
          'select id from public.subscription_products where creator_id = $1 order by position, price_cents',
          [seller.profileId],
        )
      ).map(({ id }) => id)
    const arrange = (caller: Caller, ids: unknown[] | null) =>
      world.as(caller, 'select public.arrange_plans($1)', [ids])
    expect(await order()).toEqual([cheap, fair, seller.productId])
    await arrange(seller, [seller.productId, cheap])
    expect(await order()).toEqual([seller.productId, cheap, fair])
    await arrange(seller, [])
    expect(await order()).toEqual([cheap, fair, seller.productId])
    await arrange(seller, [fair])
    await arrange(seller, null)
    expect(await order()).toEqual([cheap, fair, seller.productId])
    await expect(arrange(seller, [cheap, creator.productId])).rejects.toMatchObject({ code: 'PT404' })
    await expect(arrange(creator, [cheap])).rejects.toMatchObject({ code: 'PT404' })
    for (const twice of [[cheap, cheap], [null], Array(1001).fill(cheap)])
      await expect(arrange(seller, twice)).rejects.toMatchObject({ code: '22023' })
    await expect(arrange('anon', [cheap])).rejects.toMatchObject(refused)
    expect(await order()).toEqual([cheap, fair, seller.productId])
  })

  it('have at most one that their creator marks as the most popular [LOOP-15]', async () => {
    const seller = await world.buildCreator()
    const other = await world.buildProduct(seller, 500)
    const mark = (caller: Caller, id: string | null) => world.as(caller, 'select public.mark_popular_plan($1)', [id])
    const marked = async () =>
      (
        await world.as('anon', 'select id from public.subscription_products where creator_id = $1 and is_popular', [
          seller.profileId,
        ])
      ).map(({ id }) => id)
    expect(await marked()).toEqual([])
    await mark(seller, seller.productId)
    await mark(seller, other)
    expect(await marked()).toEqual([other])
    await expect(mark(creator, other)).rejects.toMatchObject({ code: 'PT404' })
    await expect(mark('anon', other)).rejects.toMatchObject(refused)
    await mark(creator, creator.productId)
    expect(await marked()).toEqual([other])
    await Promise.all([mark(seller, other), mark(seller, seller.productId), mark(seller, other)])
    expect(await marked()).toHaveLength(1)
    await mark(seller, null)
    expect(await marked()).toEqual([])
  })

  it('include lower ones for new creators [LOOP-15, D14]', async () => {
    const newcomer = await world.buildPerson()
    expect(
      await world.as('anon', 'select tiered_access from public.profiles where id = $1', [newcomer.profileId]),
    ).toEqual([{ tiered_access: true }])
  })

  it('show active plans to everyone, and inactive ones to their creator, subscribers, and admins [API-REST-17, API-REST-18]', async () => {
    const [row] = await insert(creator.profileId)
    const retired = String(row?.id)
    await world.subscribe(fan, creator, { productId: retired })
    await world.as(creator, 'update public.subscription_products set is_active = false where id = $1', [retired])
    const read = 'select id from public.subscription_products where id = $1'
    expect(await world.as('anon', read, [creator.productId])).toHaveLength(1)
    expect(await world.as('anon', read, [retired])).toHaveLength(0)
    expect(await world.as(await world.buildPerson(), read, [retired])).toHaveLength(0)
    for (const caller of [creator, fan, admin]) expect(await world.as(caller, read, [retired])).toHaveLength(1)
  })

  it('hide the plans of a private profile [PROF-22]', async () => {
    const hidden = await world.buildCreator({ isPrivate: true })
    expect(
      await world.as('anon', 'select from public.subscription_products where creator_id = $1', [hidden.profileId]),
    ).toEqual([])
    expect(
      await world.as(hidden, 'select from public.subscription_products where creator_id = $1', [hidden.profileId]),
    ).toHaveLength(1)
  })

  it("hide Stripe's ids from clients", async () => {
    await expect(world.as(creator, 'select * from private.stripe_products')).rejects.toMatchObject(refused)
  })
})

describe('subscription_tiers', () => {
  it('orders active plans by price per month, and is read-only [D13, DATA-17, API-REST-19]', async () => {
    const seller = await world.buildCreator() // $9.99 a month
    await world.buildProduct(seller, 12_000, 'year')
    await world.buildProduct(seller, 300, 'week')
    await world.buildProduct(seller, 100, 'day')
    const rows = await world.as(
      'anon',
      'select interval, price_monthly, tier_order from public.subscription_tiers where creator_id = $1 order by tier_order',
      [seller.profileId],
    )
    expect(rows).toEqual([
      { interval: 'month', price_monthly: 999, tier_order: '1' },
      { interval: 'year', price_monthly: 1000, tier_order: '2' },
      { interval: 'week', price_monthly: 1300, tier_order: '3' },
      { interval: 'day', price_monthly: 3042, tier_order: '4' },
    ])
    const read = 'select name from public.subscription_tiers where creator_id = $1'
    expect(await world.as('anon', read, [seller.profileId])).toEqual(Array(4).fill({ name: expect.any(String) }))
    for (const change of [
      `update public.subscription_tiers set name = 'x'`,
      'delete from public.subscription_tiers',
      'insert into public.subscription_tiers (creator_id) values (gen_random_uuid())',
    ]) {
      for (const caller of [seller, 'service_role'] as const)
        await expect(world.as(caller, change)).rejects.toMatchObject(refused)
    }
  })
})
