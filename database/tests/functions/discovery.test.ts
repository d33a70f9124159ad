import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Caller,
  type Creator,
  type DatabaseFixture,
  openDatabaseFixture,
  type Person,
} from '../database-fixture.ts'

let world: DatabaseFixture
let fan: Person
let cheap: Creator
let dear: Creator
let gratis: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  fan = await world.buildPerson()
  cheap = await world.buildCreator()
  dear = await world.buildCreator()
  gratis = await world.buildPerson()
  await world.query('update private.profiles set is_creator = true, is_verified = true where id = $1', [
    gratis.profileId,
  ])
  await world.query('update public.subscription_products set price_cents = 5000 where id = $1', [dear.productId])
  await world.query(
    `update private.profiles set categories = '{Art,Travel}', display_name = 'Ann 100%' where id = $1`,
    [cheap.profileId],
  )
  await world.buildPost(dear)
  await world.buildPost(cheap)
  await world.subscribe(fan, dear)
})
afterAll(() => world.close())

const discover = async (args: Record<string, unknown> = {}) => {
  const names = Object.keys(args)
  const text = `select * from public.discover_creators(${names.map((name, i) => `${name} => $${i + 1}`).join(', ')})`
  return world.as('anon', text, Object.values(args))
}
const ids = async (args: Record<string, unknown> = {}) => (await discover(args)).map(({ id }) => id)

/** When the profile was last changed, which its pictures are named by. */
const changed = async (id: string) =>
  (await world.query('select updated_at from private.profiles where id = $1', [id]))[0]?.updated_at

describe('discover_creators', () => {
  it('lists approved public creators with their numbers and updated_at [EXPL-02, DATA-31, D3, API-STO-04]', async () => {
    const [first] = await discover()
    expect(first).toMatchObject({
      id: dear.profileId,
      username: dear.username,
      display_name: null,
      bio: null,
      avatar_url: null,
      categories: [],
      updated_at: await changed(dear.profileId),
      is_verified: true,
      subscriber_count: 1,
      content_count: 1,
      likes_count: 0,
      subscription_price: '50.00',
    })
    expect((await discover()).find(({ id }) => id === gratis.profileId)).toMatchObject({ subscription_price: null })
  })

  it('leaves out unapproved and private creators, and includes admins [D25, PROF-22]', async () => {
    const unapproved = await world.buildPerson({ meta: { is_creator: true } })
    const hidden = await world.buildCreator({ isPrivate: true })
    const admin = await world.buildAdmin()
    await world.as(admin, 'update public.profiles set is_creator = true where id = $1', [admin.profileId])
    const listed = await ids()
    expect(listed).not.toContain(unapproved.profileId)
    expect(listed).not.toContain(hidden.profileId)
    expect(listed).toContain(admin.profileId)
    await world.query('delete from public.user_roles where user_id = $1', [admin.userId])
    expect(await ids()).not.toContain(admin.profileId)
  })

  it('sorts by subscribers, latest post, ascending price, and descending price [EXPL-04, D34, D36]', async () => {
    expect((await ids({ sort: 'popular' }))[0]).toBe(dear.profileId)
    expect(await ids()).toEqual(await ids({ sort: 'popular' }))
    expect(await ids({ sort: 'newest' })).toEqual([cheap.profileId, dear.profileId, gratis.profileId])
    expect(await ids({ sort: 'price_low' })).toEqual([gratis.profileId, cheap.profileId, dear.profileId])
    expect(await ids({ sort: 'price_high' })).toEqual([dear.profileId, cheap.profileId, gratis.profileId])
    await expect(discover({ sort: 'random' })).rejects.toMatchObject({ code: '22023' })
  })

  it('filters by category and by name, without wildcards [EXPL-03, EXPL-05, SRCH-04]', async () => {
    expect(await ids({ category: 'Art' })).toEqual([cheap.profileId])
    expect(await ids({ category: 'Cooking' })).toEqual([])
    expect((await ids({ category: 'all' })).length).toBe(3)
    expect(await ids({ search: 'ANN' })).toEqual([cheap.profileId])
    expect(await ids({ search: '100%' })).toEqual([cheap.profileId])
    expect(await ids({ search: '%' })).toEqual([cheap.profileId])
    expect(await ids({ search: '_\\' })).toEqual([])
  })

  it('finds words of bios and categories [LOOP-10]', async () => {
    await world.query(`update private.profiles set bio = 'Notes from the valley' where id = $1`, [dear.profileId])
    expect(await ids({ search: 'valley' })).toEqual([dear.profileId])
    expect(await ids({ search: 'trav' })).toEqual([cheap.profileId])
    expect(await world.as('anon', `select public.count_creators('valley') as n`)).toEqual([{ n: '1' }])
  })

  it('returns pages and the total number [EXPL-07]', async () => {
    expect(await ids({ sort: 'price_low', page_size: 1, page_offset: 1 })).toEqual([cheap.profileId])
    expect(
      await world.as(
        'anon',
        `select public.count_creators() as n, public.count_creators('ann') as named, public.count_creators(category => 'Art') as art`,
      ),
    ).toEqual([{ n: '3', named: '1', art: '1' }])
  })

  it('updates the price when plans are deactivated and activated [EXPL-11]', async () => {
    const price = async () => (await discover()).find(({ id }) => id === cheap.profileId)?.subscription_price
    const set = (active: boolean) => world.as(cheap, 'update public.subscription_products set is_active = $1', [active])
    await set(false)
    expect(await price()).toBeNull()
    await set(true)
    expect(await price()).toBe('9.99')
  })
})

describe('cover_url', () => {
  it('adds the covers of listed creators to a page, and tells nothing of a private profile [LOOP-03, PROF-22]', async () => {
    const hidden = await world.buildCreator({ isPrivate: true })
    await world.query('update private.profiles set cover_url = $1 where id = any($2)', [
      '/storage/v1/object/public/banners/c.webp',
      [cheap.profileId, hidden.profileId],
    ])
    const page = await world.as('anon', `select c.id, c.cover_url from public.discover_creators(page_size => 100) c`)
    const covers = new Map(page.map(({ id, cover_url }) => [id, cover_url]))
    expect(covers.get(cheap.profileId)).toBe('/storage/v1/object/public/banners/c.webp')
    expect(covers.get(dear.profileId)).toBeNull()
    const forged = `select public.cover_url(jsonb_populate_record(null::public.creator_listing, jsonb_build_object('id', $1::uuid))) as cover`
    expect(await world.as('anon', forged, [hidden.profileId])).toEqual([{ cover: null }])
    expect(await world.as('anon', forged, [cheap.profileId])).toEqual([
      { cover: '/storage/v1/object/public/banners/c.webp' },
    ])
  })
})

describe('pictures', () => {
  const read = async (caller: Caller, creator: Person) =>
    (
      await world.as(
        caller,
        'select public.pictures(c) as paths from public.discover_creators(page_size => 100) c where c.id = $1',
        [creator.profileId],
      )
    )[0]?.paths

  it('are the first ones of the latest free posts of a creator without a cover [LOOP-09]', async () => {
    const painter = await world.buildCreator()
    expect(await read('anon', painter)).toEqual([])
    const files = await Promise.all([1, 2, 3, 4].map(() => world.buildFile(painter)))
    const [first, second, third, fourth] = files as [string, string, string, string]
    await world.buildPost(painter, { media: [first, second] })
    await world.buildPost(painter, { media: [third, fourth] })
    await world.buildPost(painter, { type: 'subscription' })
    await world.buildPost(painter, { type: 'ppv' })
    expect(await read('anon', painter)).toEqual([third, first, fourth])
    await world.buildPost(painter, { media: [] })
    expect(await read(fan, painter)).toEqual([third, first, fourth])
  })

  it('are none with a cover, across a block, and of a private profile [LOOP-09, PROF-22, D39]', async () => {
    const [covered, blocking, closing] = await Promise.all([1, 2, 3].map(() => world.buildCreator()))
    if (!covered || !blocking || !closing) throw new Error('no creators')
    for (const creator of [covered, blocking, closing]) await world.buildPost(creator)
    await world.query('update private.profiles set cover_url = $1 where id = $2', [
      '/storage/v1/object/public/banners/c.webp',
      covered.profileId,
    ])
    expect(await read('anon', covered)).toBeNull()
    await world.as(blocking, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
      blocking.profileId,
      fan.profileId,
    ])
    expect(await read(fan, blocking)).toBeNull()
    expect(await read('anon', blocking)).toHaveLength(1)
    await world.query('update private.profiles set is_private = true where id = $1', [closing.profileId])
    const forged = `select public.pictures(jsonb_populate_record(null::public.creator_listing, jsonb_build_object('id', $1::uuid))) as paths`
    expect(await world.as('anon', forged, [closing.profileId])).toEqual([{ paths: null }])
  })
})

describe('trial_days', () => {
  it('is that of the plan with the price, for those who have not subscribed yet [LOOP-09, PROD-11]', async () => {
    const seller = await world.buildCreator()
    const read = async (caller: Caller) =>
      (
        await world.as(
          caller,
          'select public.trial_days(c) as days from public.discover_creators(page_size => 100) c where c.id = $1',
          [seller.profileId],
        )
      )[0]?.days
    expect(await read('anon')).toBe(0)
    const yearly = await world.buildProduct(seller, 6000, 'year') // $5.00 a month, less than $9.99
    await world.query('update public.subscription_products set trial_days = 14 where id = $1', [yearly])
    expect(await read('anon')).toBe(14)
    const former = await world.buildPerson()
    expect(await read(former)).toBe(14)
    await world.subscribe(former, seller, { status: 'canceled', end: '-1 day' })
    expect(await read(former)).toBe(0)
    await world.as(seller, 'update public.subscription_products set is_active = false')
    expect(await read('anon')).toBeNull()
  })
})

describe('explore_rails', () => {
  const rails = async (args = '') => {
    const rows = await world.as('anon', `select rail, id from public.explore_rails(${args})`)
    return Object.groupBy(rows, ({ rail }) => String(rail)) as Record<string, { id: string }[] | undefined>
  }
  const names = async (rail: string) => (await rails('24'))[rail]?.map(({ id }) => id) ?? []

  it('has New by the first post, which deleting posts or closing the profile does not renew [LOOP-09]', async () => {
    const [older, newer] = [await world.buildCreator(), await world.buildCreator()]
    expect(await names('new')).not.toContain(newer.profileId)
    await world.buildPost(older)
    const post = await world.buildPost(newer)
    expect((await names('new')).slice(0, 2)).toEqual([newer.profileId, older.profileId])
    await world.as(older, 'update public.profiles set is_private = true where id = $1', [older.profileId])
    expect(await names('new')).not.toContain(older.profileId)
    await world.as(older, 'update public.profiles set is_private = false where id = $1', [older.profileId])
    await world.buildPost(older)
    expect((await names('new')).slice(0, 2)).toEqual([newer.profileId, older.profileId])
    await world.as(newer, 'delete from public.posts where id = $1', [post.id])
    expect(await names('new')).not.toContain(newer.profileId)
  })

  it('dates an import by its first post [LOOP-09]', async () => {
    const imported = await world.buildCreator()
    await world.as(
      'service_role',
      `insert into public.posts (creator_id, content, created_at) values ($1, 'Long ago', '2020-05-04T10:00:00Z')`,
      [imported.profileId],
    )
    expect((await names('new')).at(-1)).toBe(imported.profileId)
  })

  it('has Popular this week by new followers and subscribers, as of the last count [LOOP-09]', async () => {
    const [liked, loved, lapsed] = [await world.buildCreator(), await world.buildCreator(), await world.buildCreator()]
    const fans = await Promise.all([1, 2, 3].map(() => world.buildPerson()))
    const follow = 'insert into public.follows (follower_id, following_id) values ($1, $2)'
    for (const person of fans) {
      await world.subscribe(person, loved)
      for (const { profileId } of [liked, lapsed]) await world.as(person, follow, [person.profileId, profileId])
    }
    await world.query(`update public.follows set created_at = now() - interval '8 days' where following_id = $1`, [
      lapsed.profileId,
    ])
    const refresh = () => world.as('service_role', 'select private.refresh_weekly_popularity()')
    await refresh()
    const week = await names('week')
    expect(week.slice(0, 2)).toEqual([loved.profileId, liked.profileId])
    expect(week).not.toContain(lapsed.profileId)
    // A profile that is closed between two counts is left out at once.
    await world.query('update private.profiles set is_private = true where id = $1', [loved.profileId])
    expect(await names('week')).toEqual(week.slice(1))
    await world.query('update private.profiles set is_private = false where id = $1', [loved.profileId])
    await world.query('delete from public.follows where following_id = $1', [liked.profileId])
    await refresh()
    expect(await names('week')).not.toContain(liked.profileId)
  })

  it('has each category by subscribers, and no rail without creators [LOOP-09, EXPL-05]', async () => {
    expect(await names('Art')).toEqual([cheap.profileId])
    expect(await names('Travel')).toEqual([cheap.profileId])
    expect(Object.keys(await rails())).not.toContain('Cooking')
    await world.query(`update private.profiles set categories = '{Art}' where id = $1`, [dear.profileId])
    expect(await names('Art')).toEqual([dear.profileId, cheap.profileId])
    expect((await rails('1')).Art).toHaveLength(1)
    expect(await rails('0')).toEqual({})
    expect(await rails('-5')).toEqual({})
    expect((await rails('1000000')).Art).toHaveLength(2)
  })

  it('shows what a card needs, in the order of the rails [LOOP-09]', async () => {
    const rows = await world.as('anon', `select * from public.explore_rails()`)
    expect([...new Set(rows.map(({ rail }) => rail))]).toEqual(['new', 'week', 'Art', 'Travel'])
    expect(rows.find(({ id }) => id === cheap.profileId)).toMatchObject({
      username: cheap.username,
      display_name: 'Ann 100%',
      subscription_price: '9.99',
      trial_days: 0,
      updated_at: await changed(cheap.profileId),
    })
  })

  it('reads an index of each rail, and never all creators [LOOP-09]', async () => {
    await world.query('analyze private.profiles, private.weekly_popularity')
    // The tables of a test are small enough to be scanned, joined, and sorted as a whole.
    const off = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off', enable_sort: 'off' }
    const plans = await world.plansOf('select * from public.explore_rails()', off)
    const planOf = (part: string) => plans.find((plan) => plan.includes(part))
    expect(planOf('order by c.debut_at')).toContain('profiles_listed_new_idx')
    expect(planOf('from private.weekly_popularity')).toMatch(/profiles_pkey .*\n +Index Cond: \(id = w\.creator_id\)/)
    expect(planOf('order by c.subscribers_count desc, c.id limit $4')).toMatch(
      /profiles_listed_(categories|popular)_idx/,
    )
    expect(planOf('newest.media_urls')).toContain('posts_free_pictures_idx')
  })
})

describe('posts_for_sale', () => {
  const offered = async (caller: Caller = 'anon') =>
    (await world.as(caller, 'select id, is_locked, content, media_urls from public.posts_for_sale()')) as {
      id: string
      is_locked: boolean
      content: string
      media_urls: string[]
    }[]
  const idsFor = async (caller?: Caller) => (await offered(caller)).map(({ id }) => id)

  it('offers the newest posts that the viewer can buy, locked, at most two of a creator [LOOP-09, POST-46]', async () => {
    await world.query(`delete from private.posts where post_type = 'ppv'`)
    const seller = await world.buildCreator()
    const other = await world.buildCreator()
    const sold = async (creator: Creator) => (await world.buildPost(creator, { type: 'ppv' })).id
    const [oldest, older] = [await sold(seller), await sold(other)]
    const [newer, newest] = [await sold(seller), await sold(seller)]
    await world.buildPost(seller)
    expect(await idsFor()).toEqual([newest, newer, older])
    for (const post of await offered(fan)) {
      expect(post).toMatchObject({ is_locked: true, media_urls: [] })
      expect(post.content).not.toContain('secret')
    }
    // Not to its own creator, not what was bought, and not across a block.
    expect(await idsFor(seller)).toEqual([older])
    await world.query(`select private.post_purchase('pi_sale', $1, $2, $3, 500, 50, 'usd', now())`, [
      fan.profileId,
      seller.profileId,
      newest,
    ])
    expect(await idsFor(fan)).toEqual([newer, older, oldest])
    await world.as(fan, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
      fan.profileId,
      seller.profileId,
    ])
    expect(await idsFor(fan)).toEqual([older])
    await world.as(fan, 'delete from public.blocks')

    // Nobody is offered what can't be bought.
    await world.query('update private.profiles set stripe_charges_enabled = false where id = $1', [other.profileId])
    expect(await idsFor()).toEqual([newest, newer])
    await world.as(seller, 'update public.profiles set is_private = true where id = $1', [seller.profileId])
    expect(await idsFor()).toEqual([])
  })

  it('reads the newest posts from an index [LOOP-09]', async () => {
    await world.query('analyze private.posts')
    const plans = await world.plansOf('select * from public.posts_for_sale()', {
      enable_seqscan: 'off',
      enable_sort: 'off',
    })
    expect(plans.find((plan) => plan.includes('row_number()'))).toContain('posts_for_sale_idx')
  })
})
