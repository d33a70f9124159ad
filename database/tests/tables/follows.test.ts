import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Caller, openWorld, type Person, refused, type World } from '../world.ts'

let world: World
let ada: Person
let ben: Person
let admin: Person
beforeAll(async () => {
  world = await openWorld()
  ada = await world.buildPerson()
  ben = await world.buildPerson()
  admin = await world.buildAdmin()
})
afterAll(() => world.close())

const follow = (caller: Caller, follower: Person, following: Person) =>
  world.as(caller, 'insert into public.follows (follower_id, following_id) values ($1, $2)', [
    follower.profileId,
    following.profileId,
  ])
const unfollow = (caller: Caller, follower: Person, following: Person) =>
  world.as(caller, 'delete from public.follows where follower_id = $1 and following_id = $2 returning id', [
    follower.profileId,
    following.profileId,
  ])
const counts = async (person: Person) =>
  (
    await world.as('anon', 'select followers_count, following_count from public.profiles where id = $1', [
      person.profileId,
    ])
  )[0]

it('counts a follow once on both sides, and an unfollow [PROF-05, PROF-19, API-REST-22]', async () => {
  await follow(ada, ada, ben)
  await expect(follow(ada, ada, ben)).rejects.toMatchObject({ code: '23505', constraint: 'follows_once' })
  expect(await counts(ada)).toEqual({ followers_count: 0, following_count: 1 })
  expect(await counts(ben)).toEqual({ followers_count: 1, following_count: 0 })
  expect(await unfollow(ben, ada, ben)).toEqual([])
  expect(await unfollow(ada, ada, ben)).toHaveLength(1)
  expect(await counts(ben)).toEqual({ followers_count: 0, following_count: 0 })
})

it('can be created only by the follower, and not of themselves [GEN-39, GEN-40]', async () => {
  await expect(follow(ben, ada, ben)).rejects.toMatchObject(refused)
  await expect(follow('anon', ada, ben)).rejects.toMatchObject(refused)
  await expect(follow(ada, ada, ada)).rejects.toMatchObject({ constraint: 'follows_not_self' })
})

it('is public between public profiles, and hidden when either is private [PROF-18, PROF-22]', async () => {
  const hidden = await world.buildPerson()
  await follow(hidden, hidden, ben)
  const read = 'select from public.follows where follower_id = $1'
  expect(await world.as('anon', read, [hidden.profileId])).toHaveLength(1)
  await world.as(hidden, 'update public.profiles set is_private = true')
  expect(await world.as('anon', read, [hidden.profileId])).toHaveLength(0)
  expect(await world.as(ada, read, [hidden.profileId])).toHaveLength(0)
  for (const caller of [hidden, ben, admin]) expect(await world.as(caller, read, [hidden.profileId])).toHaveLength(1)
})

it('lets two users follow each other at the same time', async () => {
  const pairs = await Promise.all(
    Array.from({ length: 10 }, async () => [await world.buildPerson(), await world.buildPerson()] as const),
  )
  await Promise.all(pairs.flatMap(([one, two]) => [follow(one, one, two), follow(two, two, one)]))
  for (const [one, two] of pairs) {
    expect(await counts(one)).toEqual({ followers_count: 1, following_count: 1 })
    expect(await counts(two)).toEqual({ followers_count: 1, following_count: 1 })
  }
})

it('lowers the counts when an account is deleted', async () => {
  const gone = await world.buildPerson()
  const star = await world.buildPerson()
  await follow(gone, gone, star)
  await world.query('delete from auth.users where id = $1', [gone.userId])
  expect(await counts(star)).toEqual({ followers_count: 0, following_count: 0 })
})
