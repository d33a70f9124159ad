import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

let world: DatabaseFixture
let creator: Creator
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  creator = await world.buildCreator()
  fan = await world.buildPerson()
})
afterAll(() => world.close())

const stats = (caller: Person | 'anon' | 'service_role', of: Person) =>
  world.as(caller, 'select * from public.get_creator_stats($1)', [of.profileId])

it('returns exactly what was recorded [DATA-32, RPC-02, D7]', async () => {
  const none = {
    total_earnings: '0',
    monthly_earnings: '0',
    total_subscribers: 0,
    new_subscribers_this_week: 0,
    total_likes: 0,
    total_messages: 0,
    profile_views: 0,
  }
  expect(await stats(creator, creator)).toEqual([none])
  const post = await world.buildPost(creator)
  await world.subscribe(fan, creator)
  await world.pay(fan, creator)
  await world.pay(fan, creator, { at: '2020-01-15T00:00:00Z' })
  await world.as(fan, 'insert into public.post_likes (post_id, user_id) values ($1, $2)', [post.id, fan.profileId])
  await world.as(fan, `insert into public.messages (sender_id, recipient_id, content) values ($1, $2, 'Hello')`, [
    fan.profileId,
    creator.profileId,
  ])
  for (const viewer of [fan, fan, creator])
    await world.as(viewer, 'select public.record_profile_view($1)', [creator.profileId])
  expect(await stats(creator, creator)).toEqual([
    {
      ...none,
      total_earnings: '1798',
      monthly_earnings: '899',
      total_subscribers: 1,
      new_subscribers_this_week: 1,
      total_likes: 1,
      total_messages: 1,
      profile_views: 1,
    },
  ])
})

it('is for the creator, admins, and the server [GEN-35]', async () => {
  expect(await stats(await world.buildAdmin(), creator)).toHaveLength(1)
  expect(await stats('service_role', creator)).toHaveLength(1)
  await expect(stats(fan, creator)).rejects.toMatchObject(refused)
  await expect(stats('anon', creator)).rejects.toMatchObject(refused)
})

it('keeps every counter correct after any mix of actions [DASH-14]', async () => {
  const creators = [creator, await world.buildCreator(), await world.buildCreator()]
  const people = [fan, await world.buildPerson(), await world.buildPerson(), ...creators]
  const posts = (
    await Promise.all(creators.flatMap((author) => [world.buildPost(author), world.buildPost(author)]))
  ).map(({ id }) => id)
  const pick = <Item>(list: readonly Item[], i: number): Item => {
    const item = list[i % list.length]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  const actions: ((person: Person, target: Creator, post: string) => Promise<unknown>)[] = [
    (person, target) =>
      world.query(
        'insert into public.follows (follower_id, following_id) select $1, $2 where $1 <> $2::uuid on conflict do nothing',
        [person.profileId, target.profileId],
      ),
    (person, target) =>
      world.query('delete from public.follows where follower_id = $1 and following_id = $2', [
        person.profileId,
        target.profileId,
      ]),
    (person, _target, post) =>
      world.query(
        'insert into public.post_likes (post_id, user_id) select id, $2 from private.posts where id = $1 on conflict do nothing',
        [post, person.profileId],
      ),
    (person) => world.query('delete from public.post_likes where user_id = $1', [person.profileId]),
    (person, _target, post) =>
      world.query(
        `insert into public.comments (post_id, user_id, content) select id, $2, 'hi' from private.posts where id = $1`,
        [post, person.profileId],
      ),
    (person) => world.query('delete from public.comments where user_id = $1', [person.profileId]),
    async (_person, target) => posts.push((await world.buildPost(target)).id),
    (_person, _target, post) => world.query('delete from public.posts where id = $1', [post]),
    async (person, target) => {
      if (person.profileId === target.profileId) return
      for (const status of ['incomplete', 'active', 'canceled']) await world.subscribe(person, target, { status })
    },
    async (person, target) => {
      if (person.profileId !== target.profileId) await world.pay(person, target)
    },
  ]
  const step = fc.tuple(fc.nat(actions.length - 1), fc.nat(100), fc.nat(100), fc.nat(100))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      for (const [action, person, target, post] of steps) {
        await pick(actions, action)(pick(people, person), pick(creators, target), pick(posts, post))
      }
      expect(await world.query('select * from private.verify_counters()')).toEqual([])
      expect(await world.query('select * from private.verify_ledger()')).toEqual([])
    }),
    { numRuns: 8 },
  )
})

it('finds a manipulated counter, so that the check above can fail', async () => {
  await world.query('update private.profiles set followers_count = followers_count + 1 where id = $1', [
    creator.profileId,
  ])
  expect(await world.query('select counter from private.verify_counters()')).toEqual([{ counter: 'followers_count' }])
})
