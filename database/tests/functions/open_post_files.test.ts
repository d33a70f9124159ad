import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type Caller,
  type Creator,
  type DatabaseFixture,
  openDatabaseFixture,
  type Person,
} from '../database-fixture.ts'

let world: DatabaseFixture
let creator: Creator
let subscriber: Person
/** Of posts of every kind, open and closed, and one of no post. */
let paths: string[]
beforeAll(async () => {
  world = await openDatabaseFixture()
  creator = await world.buildCreator()
  subscriber = await world.buildPerson()
  await world.subscribe(subscriber, creator)
  const recluse = await world.buildCreator({ isPrivate: true })
  const posts = []
  for (const type of ['free', 'subscription', 'ppv']) {
    posts.push(await world.buildPost(creator, { type }))
    posts.push(await world.buildPost(recluse, { type }))
  }
  paths = [...posts.map(({ path }) => path), await world.buildFile(creator)]
})
afterAll(() => world.close())

const together = async (caller: Caller, names = paths) =>
  (await world.as(caller, 'select name, mark from storage.open_post_files($1) order by name', [names])) as {
    name: string
    mark: string | null
  }[]

it('returns the same files as the policies [POST-46, POST-47, POST-49, GEN-35]', async () => {
  const buyer = await world.buildPerson()
  await world.query(
    `insert into public.purchases (buyer_id, post_id) select $1, id from private.posts where creator_id = $2 and post_type = 'ppv'`,
    [buyer.profileId, creator.profileId],
  )
  const blocked = await world.buildPerson()
  await world.query('insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
    creator.profileId,
    blocked.profileId,
  ])
  const suspended = await world.buildPerson()
  await world.query(
    `update private.profiles set suspended_at = now(), suspension_reason = 'spam', was_private = false where id = $1`,
    [suspended.profileId],
  )
  const stranger = await world.buildPerson()
  const admin = await world.buildAdmin()
  const everyone = { creator, subscriber, buyer, blocked, suspended, stranger, admin, visitor: 'anon' } as const
  const seen = new Map<string, number>()
  for (const [who, caller] of Object.entries(everyone)) {
    const byPolicies = await world.as(
      caller,
      `select o.name from storage.objects o where o.bucket_id = 'posts' and o.name = any($1)
         and exists (select from unnest($2::text[]) filed where filed = o.name) order by o.name`,
      [paths, paths.slice(0, -1)],
    )
    expect({ who, names: (await together(caller)).map(({ name }) => name) }).toEqual({
      who,
      names: byPolicies.map(({ name }) => name),
    })
    seen.set(who, byPolicies.length)
  }
  expect(Object.fromEntries(seen)).toEqual({
    creator: 3,
    subscriber: 2,
    buyer: 2,
    blocked: 0,
    suspended: 0,
    stranger: 1,
    admin: 6,
    visitor: 1,
  })
})

it('returns the watermark when the creator has turned it on', async () => {
  expect((await together(subscriber)).map(({ mark }) => mark)).toEqual([null, null])
  await world.query('insert into public.media_settings (profile_id, watermark) values ($1, true)', [creator.profileId])
  expect((await together(subscriber)).map(({ mark }) => mark)).toEqual([
    `@${subscriber.username}`,
    `@${subscriber.username}`,
  ])
  expect((await together(creator)).map(({ mark }) => mark)).toEqual([null, null, null])
  await world.query('delete from public.media_settings')
})

it('looks up the caller once for many files', async () => {
  const posts = []
  for (let built = 0; built < 12; built++) posts.push(await world.buildPost(creator))
  const counted = `select sum(calls)::int as calls from pg_stat_xact_user_functions where funcname in ('my_profile_id', 'is_privileged', 'my_blocks')`
  const questions = async (names: readonly string[]) => {
    const list = names.map((name) => `'${name}'`).join()
    const rows = await world.inOneTransaction(subscriber, [
      'reset role', // only the owner may have calls counted
      `set local track_functions = 'all'`,
      'set local role authenticated',
      counted,
      `select from storage.open_post_files(array[${list}])`,
      counted,
    ])
    const [before, found, after] = rows.slice(3)
    return { found: found?.length, asked: Number(after?.[0]?.calls) - Number(before?.[0]?.calls) }
  }
  const one = await questions(posts.slice(0, 1).map(({ path }) => path))
  const many = await questions(posts.map(({ path }) => path))
  expect(one.found).toBe(1)
  expect(one.asked).toBeGreaterThan(0)
  expect(many).toEqual({ found: 12, asked: one.asked })
})
