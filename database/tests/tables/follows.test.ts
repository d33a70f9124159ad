import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Caller,
  type Creator,
  type DatabaseFixture,
  openDatabaseFixture,
  type Person,
  refused,
} from '../database-fixture.ts'
import { openBooks } from '../open-books.ts'

let world: DatabaseFixture
let ada: Person
let ben: Person
let admin: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
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

const isFollowing = async (fan: Person, creator: Creator) =>
  (
    await world.query('select from public.follows where follower_id = $1 and following_id = $2', [
      fan.profileId,
      creator.profileId,
    ])
  ).length === 1
const told = async (creator: Creator) =>
  (await world.as(creator, 'select title from public.notifications order by created_at')).map(({ title }) => title)
/** Runs again what a migration did for those who had paid before it. */
async function followAsIn(migration: string): Promise<void> {
  const text = readFileSync(new URL(`../../migrations/${migration}`, import.meta.url), 'utf8')
  const [statement = ''] = /^insert into public\.follows[^;]+;/m.exec(text) ?? []
  await world.query(statement)
}

describe('a subscription', () => {
  it.each([
    ['begins', [{ status: 'active' }]],
    ['begins with a trial', [{ status: 'trialing', trialEnd: '7 days' }]],
    ['is paid after its checkout began', [{ status: 'incomplete' }, { status: 'active', eventAt: '1 second' }]],
    ['is first reported after a failed charge', [{ status: 'past_due' }]],
  ])('that %s also follows the creator, and its feed has their posts [LOOP-01]', async (_how, states) => {
    const [fan, creator] = [await world.buildPerson(), await world.buildCreator()]
    const { id } = await world.buildPost(creator)
    for (const state of states) await world.subscribe(fan, creator, { stripeId: `sub_of_${fan.username}`, ...state })
    expect(await isFollowing(fan, creator)).toBe(true)
    expect(await world.as(fan, 'select id from public.get_feed()')).toEqual([{ id }])
    expect(await counts(creator)).toMatchObject({ followers_count: 1 })
    // They hear of a subscriber, not of a follower besides.
    expect(await told(creator)).not.toContain(`${fan.username} started following you`)
  })

  it.each([['incomplete'], ['incomplete_expired'], ['canceled'], ['unpaid']])(
    'that is %s follows nobody [LOOP-01]',
    async (status) => {
      const [fan, creator] = [await world.buildPerson(), await world.buildCreator()]
      await world.subscribe(fan, creator, { status })
      expect(await isFollowing(fan, creator)).toBe(false)
    },
  )

  it('leaves a follow as it is, and never undoes an unfollow, until the fan subscribes again [LOOP-01]', async () => {
    const [fan, creator] = [await world.buildPerson(), await world.buildCreator()]
    await follow(fan, fan, creator)
    const stripeId = `sub_kept_${fan.username}`
    await world.subscribe(fan, creator, { stripeId })
    expect(await counts(creator)).toMatchObject({ followers_count: 1 })
    await unfollow(fan, fan, creator)
    expect(await told(creator)).toEqual([`${fan.username} started following you`]) // it was one
    for (const [minutes, status] of ['active', 'past_due', 'active', 'paused', 'active'].entries())
      await world.subscribe(fan, creator, { stripeId, status, eventAt: `${minutes + 1} minutes` })
    expect(await isFollowing(fan, creator)).toBe(false)
    await world.subscribe(fan, creator, { stripeId, status: 'canceled', eventAt: '10 minutes' })
    await world.subscribe(fan, creator)
    expect(await isFollowing(fan, creator)).toBe(true)
  })

  it('that is paid for across a block counts, and follows nobody [LOOP-01]', async () => {
    const [fan, creator] = [await world.buildPerson(), await world.buildCreator()]
    await world.as(creator, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
      creator.profileId,
      fan.profileId,
    ])
    expect(await world.subscribe(fan, creator)).toBeTypeOf('string')
    expect(await isFollowing(fan, creator)).toBe(false)
  })

  it('from before follows since the migration [LOOP-01]', async () => {
    const [fan, lapsed, creator] = [await world.buildPerson(), await world.buildPerson(), await world.buildCreator()]
    for (const person of [fan, lapsed]) await world.subscribe(person, creator, { stripeId: `sub_${person.username}` })
    await world.subscribe(lapsed, creator, {
      stripeId: `sub_${lapsed.username}`,
      status: 'canceled',
      eventAt: '1 minute',
    })
    await world.query('delete from public.follows where following_id = $1', [creator.profileId])
    await followAsIn('0036_subscribers_follow.sql')
    expect([await isFollowing(fan, creator), await isFollowing(lapsed, creator)]).toEqual([true, false])
    expect(await told(creator)).not.toContain(`${fan.username} started following you`)
  })
})

describe('a payment', () => {
  const pay = {
    'for a post': async (fan: Person, creator: Creator) => {
      const { id } = await world.buildPost(creator, { type: 'ppv', price: 1000 })
      return openBooks(world).buy(fan, creator, id)
    },
    'for a message': async (fan: Person, creator: Creator) => {
      const send = 'insert into public.messages (sender_id, recipient_id, content, is_paid, price)'
      await world.as(creator, `${send} values ($1, $2, 'Paid', true, 1000)`, [creator.profileId, fan.profileId])
      const [message] = await world.as(fan, 'select id from public.messages')
      const unlock = 'select private.post_message_unlock($1, $2, $3, $4, 1000, 100, $5, now())'
      await world.as('service_role', unlock, [
        `pi_${fan.username}`,
        fan.profileId,
        creator.profileId,
        message?.id,
        'usd',
      ])
    },
    'as a tip': (fan: Person, creator: Creator) => openBooks(world).tip(fan, creator),
    // Its booking isn't there any more, so that it will be refunded: the fan has paid all the same.
    'for a session': (fan: Person, creator: Creator) => openBooks(world).paySession(fan, creator, randomUUID()),
  }

  it.each(Object.entries(pay))(
    '%s also follows the creator, and the feed has their posts [LOOP-01]',
    async (_what, buy) => {
      const [fan, creator] = [await world.buildPerson(), await world.buildCreator()]
      const { id } = await world.buildPost(creator)
      await buy(fan, creator)
      expect(await isFollowing(fan, creator)).toBe(true)
      expect(await world.as(fan, 'select id from public.get_feed()')).toContainEqual({ id })
      expect(await counts(creator)).toMatchObject({ followers_count: 1 })
      // They hear of a payment, not of a follow besides.
      expect(await told(creator)).not.toContain(`${fan.username} started following you`)
      const suggested = await world.as(fan, 'select id from public.suggest_creators(100)')
      expect(suggested).not.toContainEqual({ id: creator.profileId })
    },
  )

  it('leaves a follow as it is, and never undoes an unfollow [LOOP-01]', async () => {
    const [fan, creator] = [await world.buildPerson(), await world.buildCreator()]
    await follow(fan, fan, creator)
    await pay['for a post'](fan, creator)
    expect(await counts(creator)).toMatchObject({ followers_count: 1 })
    await unfollow(fan, fan, creator)
    for (const buy of [pay['for a post'], pay['as a tip']]) await buy(fan, creator)
    expect(await isFollowing(fan, creator)).toBe(false)
    // It was announced, and isn't taken back.
    expect(await told(creator)).toContain(`${fan.username} started following you`)
  })

  it('after a subscription never undoes an unfollow [LOOP-01]', async () => {
    const [fan, creator] = [await world.buildPerson(), await world.buildCreator()]
    await world.subscribe(fan, creator, { status: 'trialing', trialEnd: '7 days' })
    await unfollow(fan, fan, creator)
    await pay['as a tip'](fan, creator)
    expect(await isFollowing(fan, creator)).toBe(false)
  })

  it('after a subscription that was never paid is the first one [LOOP-01]', async () => {
    const [fan, creator] = [await world.buildPerson(), await world.buildCreator()]
    await world.subscribe(fan, creator, { status: 'incomplete' })
    await pay['for a post'](fan, creator)
    expect(await isFollowing(fan, creator)).toBe(true)
  })

  it('across a block counts, and follows nobody [LOOP-01]', async () => {
    const [fan, creator] = [await world.buildPerson(), await world.buildCreator()]
    const block = 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)'
    await world.as(creator, block, [creator.profileId, fan.profileId])
    expect(await pay['for a post'](fan, creator)).toBeTypeOf('string')
    expect(await isFollowing(fan, creator)).toBe(false)
  })

  it('from before follows since the migration, unless it was refunded [LOOP-01]', async () => {
    const [fan, refunded, creator] = [await world.buildPerson(), await world.buildPerson(), await world.buildCreator()]
    await pay['for a post'](fan, creator)
    await openBooks(world).refund(await pay['for a post'](refunded, creator))
    await world.query('delete from public.follows where following_id = $1', [creator.profileId])
    await followAsIn('0071_buyers_follow.sql')
    expect([await isFollowing(fan, creator), await isFollowing(refunded, creator)]).toEqual([true, false])
    expect(await told(creator)).not.toContain(`${fan.username} started following you`)
  })
})

describe('suggest_creators', () => {
  const suggested = async (person: Person) =>
    (await world.as(person, 'select id from public.suggest_creators(100)')).map(({ id }) => id)

  it('leaves out creators whom the user follows or subscribes to, and the user [LOOP-01]', async () => {
    const fan = await world.buildCreator()
    const [popular, followed, paid, hidden] = [
      await world.buildCreator(),
      await world.buildCreator(),
      await world.buildCreator(),
      await world.buildCreator({ isPrivate: true }),
    ]
    await follow(fan, fan, followed)
    await world.subscribe(fan, paid)
    await unfollow(fan, fan, paid)
    await world.subscribe(await world.buildPerson(), popular)
    await world.subscribe(await world.buildPerson(), popular)
    const list = await suggested(fan)
    expect(list[0]).toBe(popular.profileId)
    for (const { profileId } of [fan, followed, paid, hidden]) expect(list).not.toContain(profileId)
    expect(await suggested(await world.buildPerson())).toEqual(
      expect.arrayContaining([fan, popular, followed, paid].map(({ profileId }) => profileId)),
    )
  })
})
