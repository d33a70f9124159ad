import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Creator, openWorld, type Person, type World } from '../world.ts'

let world: World
let fan: Person
let cheap: Creator
let dear: Creator
let gratis: Person
beforeAll(async () => {
  world = await openWorld()
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
