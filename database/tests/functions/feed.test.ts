import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

const creatorCount = 60
let world: DatabaseFixture
let fan: Person
let creators: Creator[]
beforeAll(async () => {
  world = await openDatabaseFixture()
  fan = await world.buildPerson()
  creators = []
  for (let built = 0; built < creatorCount; built++) creators.push(await world.buildCreator())
  await world.query(`insert into public.follows (follower_id, following_id) select $1, unnest($2::uuid[])`, [
    fan.profileId,
    creators.map(({ profileId }) => profileId),
  ])
  // Three each, minutes apart and interleaved; two of one instant among them.
  await world.query(
    `insert into private.posts (creator_id, content, created_at)
     select c.id, 'words', timestamptz '2026-01-01' - make_interval(mins => (c.place / 2 + turn * 40)::int)
     from unnest($1::uuid[]) with ordinality c (id, place), generate_series(0, 2) turn`,
    [creators.map(({ profileId }) => profileId)],
  )
})
afterAll(() => world.close())

const feed = async (person: Person, args = '') =>
  (await world.as(person, `select id from public.get_feed(${args})`)).map(({ id }) => id)

/** The same by the plainest query there is, as the owner. */
const expected = async (person: Person, size: number, offset = 0) =>
  (
    await world.query(
      `select p.id from private.posts p join private.profiles c on c.id = p.creator_id
       where not c.is_private and p.creator_id in (select f.following_id from public.follows f where f.follower_id = $1)
       order by p.created_at desc, p.id desc limit $2 offset $3`,
      [person.profileId, size, offset],
    )
  ).map(({ id }) => id)

describe('get_feed of a viewer who follows many creators', () => {
  it('shows the newest posts of all of them, and of no one else [HOME-04, HOME-05]', async () => {
    const stranger = await world.buildCreator()
    await world.buildPost(stranger)
    const page = await feed(fan)
    expect(page).toHaveLength(20)
    expect(page).toEqual(await expected(fan, 20))
  })

  it('continues to the end in pages, without gaps and duplicates [HOME-05]', async () => {
    const pages: unknown[] = []
    let from = ''
    for (;;) {
      const rows = await world.as(fan, `select id, created_at::text as at from public.get_feed(50${from})`)
      pages.push(...rows.map(({ id }) => id))
      const last = rows.at(-1)
      if (!last) break
      from = `, '${last.at}', '${last.id}'`
    }
    expect(pages).toEqual(await expected(fan, 1000))
    expect(pages).toHaveLength(creatorCount * 3)
  })

  it('leaves out a private creator before it limits the page, until the viewer subscribes [PROF-22, POST-48]', async () => {
    const [closed] = creators
    if (!closed) throw new Error('no creator')
    await world.query(`update private.posts set created_at = now() where creator_id = $1`, [closed.profileId])
    const before = await feed(fan, '5')
    await world.query(`update private.profiles set is_private = true where id = $1`, [closed.profileId])
    const without = await feed(fan, '5')
    expect(without).toHaveLength(5)
    expect(without).toEqual(await expected(fan, 5))
    await world.subscribe(fan, closed)
    expect(await feed(fan, '5')).toEqual(before)
  })

  it('finds posts behind thousands of others', async () => {
    const loud = await world.buildCreator()
    const newest = await feed(fan)
    // Without the triggers: thousands of updates of one counter in one transaction are slow, and beside the point.
    await world.query(
      `begin; set local session_replication_role = replica;
       insert into private.posts (creator_id, content, created_at)
       select '${loud.profileId}', 'loud', now() + make_interval(secs => n) from generate_series(1, 5100) n; commit`,
    )
    expect(await feed(fan)).toEqual(newest)
  })

  it('contains the viewer’s own posts [HOME-04]', async () => {
    const [creator] = creators
    if (!creator) throw new Error('no creator')
    await world.query(
      `insert into public.follows (follower_id, following_id) select $1, f.following_id from public.follows f
       where f.follower_id = $2 and f.following_id <> $1`,
      [creator.profileId, fan.profileId],
    )
    await world.query(`update private.posts set created_at = now() + interval '1 day' where creator_id = $1`, [
      creator.profileId,
    ])
    const own = (await world.query('select id from private.posts where creator_id = $1', [creator.profileId])).map(
      ({ id }) => id,
    )
    expect(new Set(await feed(creator, '3'))).toEqual(new Set(own))
  })
})

describe('get_feed', () => {
  const follow = (person: Person, creator: Creator) =>
    world.query('insert into public.follows (follower_id, following_id) values ($1, $2)', [
      person.profileId,
      creator.profileId,
    ])

  it("contains posts of followed creators and the viewer's own in pages, newest first [HOME-04, HOME-05]", async () => {
    const reader = await world.buildCreator()
    const [one, two, other] = [await world.buildCreator(), await world.buildCreator(), await world.buildCreator()]
    await follow(reader, one)
    await follow(reader, two)
    const posts: string[] = []
    for (const author of [one, two, reader, one, two, other]) posts.unshift((await world.buildPost(author)).id)
    const expected = posts.slice(1) // the other is not followed
    expect(await feed(reader)).toEqual(expected)
    const [last] = await world.as(reader, 'select created_at::text as at, id from public.get_feed(2) offset 1')
    expect(await feed(reader, `2, '${last?.at}', '${last?.id}'`)).toEqual(expected.slice(2, 4))
  })

  it('masks locked posts like every other read [POST-46]', async () => {
    const [reader, creator] = [await world.buildPerson(), await world.buildCreator()]
    await follow(reader, creator)
    await world.buildPost(creator, { type: 'subscription' })
    const [row] = await world.as(reader, 'select * from public.get_feed(1)')
    expect(row).toMatchObject({ is_locked: true, media_urls: [] })
    expect(String(row?.content)).toHaveLength(100)
  })

  it('leaves out a private creator without a gap in the page [PROF-22]', async () => {
    const [reader, hidden, open] = [
      await world.buildPerson(),
      await world.buildCreator({ isPrivate: true }),
      await world.buildCreator(),
    ]
    await follow(reader, hidden)
    await follow(reader, open)
    const { id } = await world.buildPost(open)
    const secret = await world.buildPost(hidden)
    expect(await feed(reader, '1')).toEqual([id])
    await world.subscribe(reader, hidden)
    expect(await feed(reader, '1')).toEqual([secret.id])
  })

  it('is for signed-in users [HOME-02]', async () => {
    await expect(world.as('anon', 'select * from public.get_feed()')).rejects.toMatchObject(refused)
  })
})
