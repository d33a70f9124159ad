import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'
import { openBooks } from '../open-books.ts'

let world: DatabaseFixture
let books: ReturnType<typeof openBooks>
let creator: Creator
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  books = openBooks(world)
  fan = await world.buildPerson()
})
afterAll(() => world.close())
beforeEach(async () => {
  creator = await world.buildCreator()
})
afterEach(async () => expect(await books.problems()).toEqual([]))

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const ask = (caller: Person, call: string, ...values: unknown[]) =>
  world.as(caller, `select * from public.${call}`, [creator.profileId, ...values])

describe('earnings', () => {
  it('are shown by day and source, including empty days and refunds [DASH-12, D7]', async () => {
    await world.pay(fan, creator, { at: daysAgo(2) })
    const tip = await books.tip(fan, creator, { at: daysAgo(2) })
    await books.refund(tip, 500)
    const series = await ask(creator, 'get_earnings_series($1)')
    expect(series).toHaveLength(30)
    expect(series.at(-3)).toMatchObject({ subscriptions: '899', tips: '900', total: '1799' })
    expect(Number(series.at(-2)?.total)).toBe(0)
    expect(Number(series.at(-1)?.tips)).toBe(-450)
    const [stats] = await ask(creator, 'get_creator_stats($1)')
    expect(`${series.reduce((sum, day) => sum + Number(day.total), 0)}`).toBe(stats?.total_earnings)
  })

  it('are split by source, in percent [DASH-12, D7]', async () => {
    const post = await world.buildPost(creator, { type: 'ppv' })
    await books.buy(fan, creator, post.id, { gross: 3000 })
    await books.tip(fan, creator, { gross: 1000 })
    const split = await ask(creator, 'get_revenue_split($1)')
    expect(split.map(({ source, net_amount, share }) => [source, Number(net_amount), Number(share)])).toEqual([
      ['subscription', 0, 0],
      ['tip', 900, 25],
      ['paid_message', 0, 0],
      ['ppv', 2700, 75],
      ['private_session', 0, 0],
      ['product', 0, 0],
      ['referral', 0, 0],
    ])
    const [first] = await world.as(creator, 'select share from public.get_revenue_split($1, $2, $2)', [
      creator.profileId,
      '2020-01-01',
    ])
    expect(first).toEqual({ share: null })
  })

  it('of last month are those of the calendar month, and growth compares the two [DASH-13, D7]', async () => {
    const growth = async () => (await ask(creator, 'get_creator_growth($1)'))[0]
    expect(await growth()).toMatchObject({ this_month: '0', last_month: '0', earnings_growth: null })
    const month = new Date()
    const at = (months: number, day: number) =>
      new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + months, day)).toISOString()
    await books.tip(fan, creator, { gross: 1000, at: at(-1, 1) })
    await books.tip(fan, creator, { gross: 1000, at: at(0, 0) }) // the last day of last month
    await books.tip(fan, creator, { gross: 3000, at: at(0, 1) })
    await books.tip(fan, creator, { gross: 5000, at: at(-2, 15) })
    const figures = await growth()
    expect([figures?.this_month, figures?.last_month, figures?.earnings_growth].map(Number)).toEqual([2700, 1800, 50])
  })
})

describe('views', () => {
  const look = (viewer: Person, ids: unknown[]) =>
    world.as(viewer, 'select public.record_post_views($1::uuid[])', [ids])
  const views = async (post: string) =>
    (await world.query('select views_count from private.posts where id = $1', [post]))[0]?.views_count

  it('of a post count each user once a day, without the author and without locked and unknown posts [DASH-14, DATA-37]', async () => {
    const [open, locked] = [await world.buildPost(creator), await world.buildPost(creator, { type: 'ppv' })]
    const ids = [open.id, locked.id, '00000000-0000-0000-0000-000000000000', open.id]
    for (let i = 0; i < 2; i++) await look(fan, ids)
    await look(creator, ids)
    expect([await views(open.id), await views(locked.id)]).toEqual([1, 0])
    await look(await world.buildPerson(), ids)
    expect(await views(open.id)).toBe(2)
    await expect(world.as('anon', 'select public.record_post_views($1::uuid[])', [ids])).rejects.toMatchObject(refused)
    await expect(world.as(creator, 'select from public.post_views')).rejects.toMatchObject(refused)
  })

  it('and likes are recorded, and the post and the dashboard count them [DATA-37]', async () => {
    const seller = await world.buildCreator()
    const post = await world.buildPost(seller)
    await look(fan, [post.id])
    await world.as(fan, 'insert into public.post_likes (post_id, user_id) values ($1, $2)', [post.id, fan.profileId])
    await world.as(fan, 'select public.record_profile_view($1)', [seller.profileId])
    const [row] = await world.query('select likes_count, views_count from private.posts where id = $1', [post.id])
    expect(row).toEqual({ likes_count: 1, views_count: 1 })
    const [stats] = await world.as(seller, 'select * from public.get_creator_stats($1)', [seller.profileId])
    expect(stats).toMatchObject({ total_likes: 1, profile_views: 1 })
  })

  it('of the posts and the profile, and their growth, are the recorded ones [DASH-14]', async () => {
    const post = await world.buildPost(creator)
    for (const viewer of [fan, await world.buildPerson()]) {
      await look(viewer, [post.id])
      await world.as(viewer, 'select public.record_profile_view($1)', [creator.profileId])
    }
    const growth = async () => (await ask(creator, 'get_creator_growth($1)'))[0]
    expect(await growth()).toMatchObject({ views: 4, previous_views: 0, view_growth: null })
    await world.query(`insert into private.daily_views (creator_id, day, post_views) values ($1, $2::date, 2)`, [
      creator.profileId,
      daysAgo(40),
    ])
    const compared = await growth()
    expect([compared?.views, compared?.previous_views, Number(compared?.view_growth)]).toEqual([4, 2, 100])
    const [figures] = await world.as(creator, 'select views from public.get_post_figures($1)', [[post.id]])
    const [stats] = await ask(creator, 'get_creator_stats($1)')
    expect([figures?.views, stats?.profile_views]).toEqual([2, 2])
  })

  it('of many viewers at the same time are all counted, without deadlocks', async () => {
    const posts = [await world.buildPost(creator), await world.buildPost(creator), await world.buildPost(creator)]
    const people = await Promise.all(Array.from({ length: 10 }, () => world.buildPerson()))
    await Promise.all(
      people.map((person, i) =>
        look(
          person,
          (i % 2 ? posts : posts.toReversed()).map(({ id }) => id),
        ),
      ),
    )
    for (const { id } of posts) expect(await views(id)).toBe(10)
  })

  it('are deleted with the viewer, but the daily number stays', async () => {
    const post = await world.buildPost(creator)
    const viewer = await world.buildPerson()
    await look(viewer, [post.id])
    await world.as(viewer, 'select public.record_profile_view($1)', [creator.profileId])
    await world.query('delete from auth.users where id = $1', [viewer.userId])
    expect(await views(post.id)).toBe(0)
    const series = await ask(creator, 'get_views_series($1)')
    expect(series).toHaveLength(30)
    expect(series.at(-1)).toMatchObject({ post_views: 1, profile_views: 1 })
  })

  it('order posts by views, with their earnings [DASH-10, DASH-14]', async () => {
    const [quiet, loud] = [await world.buildPost(creator), await world.buildPost(creator, { type: 'ppv' })]
    await books.buy(fan, creator, loud.id)
    await look(fan, [loud.id])
    await books.tip(fan, creator, { gross: 500 }, quiet.id)
    const top = await ask(creator, 'get_top_posts($1)')
    expect(top).toMatchObject([
      { id: loud.id, views: 1, purchases: 1, earnings: '900' },
      { id: quiet.id, views: 0, purchases: 0, earnings: '450' },
    ])
    expect(await ask(creator, 'get_top_posts($1, 1)')).toHaveLength(1)
  })
})

describe('the plans', () => {
  it('show their current number of subscribers, also when inactive [PROD-10]', async () => {
    const [other] = await world.query(
      `insert into public.subscription_products (creator_id, name, price_cents, interval, is_active)
       values ($1, 'Retired', 500, 'month', false) returning id`,
      [creator.profileId],
    )
    await world.subscribe(fan, creator)
    await world.subscribe(await world.buildPerson(), creator, { status: 'canceled' })
    const counted = await ask(creator, 'get_plan_subscribers($1)')
    expect(counted).toHaveLength(2)
    expect(counted).toEqual(
      expect.arrayContaining([
        { product_id: creator.productId, subscribers: 1 },
        { product_id: other?.id, subscribers: 0 },
      ]),
    )
  })
})

describe('the dashboard', () => {
  const calls = [
    'get_earnings_series($1)',
    'get_revenue_split($1)',
    'get_views_series($1)',
    'get_creator_growth($1)',
    'get_earnings_totals($1)',
    'get_plan_subscribers($1)',
    'get_top_posts($1)',
  ]

  it.each(calls)('answers %s only for the creator and admins [D24]', async (call) => {
    await ask(creator, call)
    await ask(await world.buildAdmin(), call)
    await expect(ask(fan, call)).rejects.toMatchObject(refused)
    await expect(world.as('anon', `select public.${call}`, [creator.profileId])).rejects.toMatchObject(refused)
  })

  it('covers a year at most', async () => {
    for (const [from, to] of [
      ['2024-01-01', '2026-01-01'],
      ['2026-01-02', '2026-01-01'],
    ]) {
      await expect(ask(creator, 'get_earnings_series($1, $2, $3)', from, to)).rejects.toMatchObject({ code: '22023' })
    }
  })
})
