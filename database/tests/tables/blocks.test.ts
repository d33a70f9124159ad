import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

let world: DatabaseFixture
beforeAll(async () => {
  world = await openDatabaseFixture()
})
afterAll(() => world.close())

const block = (blocker: Person, blocked: Person) =>
  world.as(blocker, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
    blocker.profileId,
    blocked.profileId,
  ])
const follow = (fan: Person, other: Person) =>
  world.as(fan, 'insert into public.follows (follower_id, following_id) values ($1, $2)', [
    fan.profileId,
    other.profileId,
  ])

describe('a block', () => {
  it('is created and deleted by the blocker, and invisible to admins and the blocked user [D39, GEN-35]', async () => {
    const [ada, bob, admin] = [await world.buildPerson(), await world.buildPerson(), await world.buildAdmin()]
    await expect(
      world.as(bob, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
        ada.profileId,
        bob.profileId,
      ]),
    ).rejects.toMatchObject(refused)
    await block(ada, bob)
    expect(await world.as(ada, 'select blocked_id from public.blocks')).toEqual([{ blocked_id: bob.profileId }])
    for (const caller of [bob, admin]) expect(await world.as(caller, 'select from public.blocks')).toEqual([])
    await expect(world.as('anon', 'select from public.blocks')).rejects.toMatchObject(refused)
    expect(await world.as(bob, 'delete from public.blocks returning id')).toEqual([])
    await expect(block(ada, bob)).rejects.toMatchObject({ constraint: 'blocks_once' })
    await expect(block(ada, ada)).rejects.toMatchObject({ constraint: 'blocks_not_self' })
    expect(await world.as(ada, 'delete from public.blocks returning id')).toHaveLength(1)
  })

  it('deletes the follows between the two, updates the counts, and rejects new ones [GEN-39]', async () => {
    const [ada, bob] = [await world.buildPerson(), await world.buildPerson()]
    await follow(ada, bob)
    await follow(bob, ada)
    await block(ada, bob)
    expect(
      await world.query('select followers_count, following_count from private.profiles where id = any($1)', [
        [ada.profileId, bob.profileId],
      ]),
    ).toEqual([
      { followers_count: 0, following_count: 0 },
      { followers_count: 0, following_count: 0 },
    ])
    for (const [fan, other] of [
      [ada, bob],
      [bob, ada],
    ] as const) {
      await expect(follow(fan, other)).rejects.toMatchObject({
        code: 'PT403',
        message: "You can't follow this user",
      })
    }
  })

  it('prevails over a follow at the same time, whichever comes first', async () => {
    for (let round = 0; round < 8; round++) {
      const [ada, bob] = [await world.buildPerson(), await world.buildPerson()]
      const both = [() => follow(bob, ada), () => block(ada, bob)]
      const outcomes = await Promise.allSettled((round % 2 ? both : both.toReversed()).map((act) => act()))
      expect(outcomes[round % 2]).toMatchObject({ status: 'fulfilled' }) // the block
      expect(await world.query('select from public.follows where follower_id = $1', [bob.profileId])).toEqual([])
    }
    expect(await world.query('select * from private.verify_counters()')).toEqual([])
  })
})

describe('across a block', () => {
  let creator: Creator
  let blocked: Person
  let free: { id: string; path: string }
  let paid: { id: string; path: string }
  beforeAll(async () => {
    creator = await world.buildCreator()
    blocked = await world.buildPerson()
    free = await world.buildPost(creator)
    paid = await world.buildPost(creator, { type: 'subscription' })
    await world.query(`update private.profiles set bio = 'my bio', categories = '{Art}' where id = $1`, [
      creator.profileId,
    ])
    await block(creator, blocked)
  })

  it('the profile looks private to both sides, and to no one else [PROF-22]', async () => {
    const read = (caller: Person | 'anon', of: Person) =>
      world.as(caller, 'select bio, categories from public.profiles where id = $1', [of.profileId])
    expect(await read(blocked, creator)).toEqual([{ bio: null, categories: [] }])
    expect(await read('anon', creator)).toEqual([{ bio: 'my bio', categories: ['Art'] }])
    await world.query(`update private.profiles set bio = 'his bio' where id = $1`, [blocked.profileId])
    expect(await read(creator, blocked)).toEqual([{ bio: null, categories: [] }])
    expect(await read(await world.buildPerson(), blocked)).toEqual([{ bio: 'his bio', categories: [] }])
  })

  it('there are no posts, locked previews, or files [POST-41, POST-46]', async () => {
    expect(await world.as(blocked, 'select from public.posts where creator_id = $1', [creator.profileId])).toEqual([])
    expect(await world.as(blocked, 'select from storage.objects where name = $1', [free.path])).toEqual([])
    const stranger = await world.buildPerson()
    expect(
      await world.as(stranger, 'select from public.posts where creator_id = $1', [creator.profileId]),
    ).toHaveLength(2)
  })

  it('likes, comments, and bookmarks are rejected [GEN-35]', async () => {
    for (const table of ['post_likes', 'bookmarks']) {
      await expect(
        world.as(blocked, `insert into public.${table} (post_id, user_id) values ($1, $2)`, [
          free.id,
          blocked.profileId,
        ]),
      ).rejects.toMatchObject(refused)
    }
    await expect(comment(blocked, free.id)).rejects.toMatchObject(refused)
  })

  it('purchases stay unlocked, without likes and comments [SUB-14, POST-42]', async () => {
    const [fan, seller] = [await world.buildPerson(), creator]
    await world.subscribe(fan, seller)
    await block(seller, fan)
    expect(await world.as(fan, 'select is_locked from public.posts where id = $1', [paid.id])).toEqual([
      { is_locked: false },
    ])
    await expect(comment(fan, paid.id)).rejects.toMatchObject(refused)
    await expect(
      world.as(fan, 'insert into public.post_likes (post_id, user_id) values ($1, $2)', [paid.id, fan.profileId]),
    ).rejects.toMatchObject(refused)
  })

  it("users don't see each other's comments on others' posts, but admins see both", async () => {
    const [host, ada, bob, admin] = [
      await world.buildCreator(),
      await world.buildPerson(),
      await world.buildPerson(),
      await world.buildAdmin(),
    ]
    const post = await world.buildPost(host)
    await comment(ada, post.id)
    await comment(bob, post.id)
    await block(ada, bob)
    const seen = async (caller: Person | 'anon') =>
      (await world.as(caller, 'select user_id from public.comments where post_id = $1', [post.id])).length
    expect([await seen(ada), await seen(bob), await seen(admin), await seen(host), await seen('anon')]).toEqual([
      1, 1, 2, 2, 2,
    ])
  })

  const comment = (author: Person, post: string) =>
    world.as(author, `insert into public.comments (post_id, user_id, content) values ($1, $2, 'hello')`, [
      post,
      author.profileId,
    ])
})
