import { seededRandom } from '@ovation/server/testing/random'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Caller,
  type Creator,
  type DatabaseFixture,
  openDatabaseFixture,
  type Person,
} from '../tests/database-fixture.ts'

const seed = 20_251
const steps = 1_600
const lanes = 4

let world: DatabaseFixture
let people: Person[]
let creators: Creator[]
let admin: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  creators = [await world.buildCreator(), await world.buildCreator({ tieredAccess: true }), await world.buildCreator()]
  people = [...creators]
  for (let n = 0; n < 9; n += 1) people.push(await world.buildPerson())
  admin = await world.buildAdmin()
})
afterAll(() => world.close())

/** One action of one user. Some are rejected, as in real use: a second like, or a like on a hidden post. */
type Action = (roll: (sides: number) => number) => Promise<unknown>
const one = <Item>(items: readonly Item[], roll: (sides: number) => number): Item => {
  const item = items[roll(items.length)]
  if (item === undefined) throw new Error('nobody is there')
  return item
}
const aPost = 'select id from private.posts order by md5(id::text || $2) limit 1'
const reaction = (who: Caller & Person, salt: number, text: string) =>
  world.as(who, text, [who.profileId, String(salt)])

const actions: readonly Action[] = [
  (roll) =>
    world.as('service_role', 'insert into public.follows (follower_id, following_id) values ($1, $2)', [
      one(people, roll).profileId,
      one(people, roll).profileId,
    ]),
  (roll) => {
    const who = one(people, roll)
    return world.as(who, 'delete from public.follows where follower_id = $1 and following_id = $2', [
      who.profileId,
      one(people, roll).profileId,
    ])
  },
  (roll) => world.buildPost(one(creators, roll), { type: one(['free', 'free', 'subscription', 'ppv'], roll) }),
  (roll) => {
    // Rarer than new posts: a deleted post takes its likes and comments along, and too few would be left to count.
    if (roll(4) > 0) return Promise.resolve()
    const who = one(creators, roll)
    return world.as(
      roll(3) === 0 ? admin : who,
      'delete from public.posts where id = (select id from public.posts where creator_id = $1 order by md5(id::text || $2) limit 1)',
      [who.profileId, String(roll(1000))],
    )
  },
  ...[0, 1].map(
    (): Action => (roll) => {
      const text = `insert into public.post_likes (post_id, user_id) select p.id, $1 from public.posts p order by md5(p.id::text || $2) limit 1`
      return reaction(one(people, roll), roll(1000), text)
    },
  ),
  (roll) =>
    reaction(
      one(people, roll),
      roll(1000),
      'delete from public.post_likes where id = (select id from public.post_likes where user_id = $1 order by md5(id::text || $2) limit 1)',
    ),
  ...[0, 1].map(
    (): Action => (roll) => {
      const text = `insert into public.comments (post_id, user_id, content) select p.id, $1, 'Hi' from public.posts p order by md5(p.id::text || $2) limit 1`
      return reaction(one(people, roll), roll(1000), text)
    },
  ),
  (roll) =>
    reaction(
      one(people, roll),
      roll(1000),
      'delete from public.comments where id = (select id from public.comments where user_id = $1 order by md5(id::text || $2) limit 1)',
    ),
  (roll) => {
    const [fan, creator] = [one(people, roll), one(creators, roll)]
    const status = one(['active', 'trialing', 'past_due', 'canceled', 'incomplete', 'unpaid'], roll)
    // A handful of Stripe subscriptions for each pair, whose states come in any order.
    const stripeId = `sub_${fan.username}_${creator.username}_${roll(2)}`
    return world.subscribe(fan, creator, { status, stripeId, eventAt: `${roll(600)} seconds` })
  },
  (roll) =>
    world.pay(one(people, roll), one(creators, roll), {
      cause: `in_${roll(200)}`,
      gross: 100 + roll(9_900),
      fee: 10 + roll(80),
    }),
  (roll) => {
    const [fan, creator] = [one(people, roll), one(creators, roll)]
    const type = one(['tip', 'ppv', 'private_session'], roll)
    return world.as('service_role', `select private.post_payment($1, $2, $3, $4, $5, 10, 'usd', now())`, [
      type,
      `pi_${roll(400)}`,
      fan.profileId,
      creator.profileId,
      100 + roll(5_000),
    ])
  },
  (roll) =>
    world.as('service_role', `insert into public.purchases (buyer_id, post_id) select $1, q.id from (${aPost}) q`, [
      one(people, roll).profileId,
      String(roll(1000)),
    ]),
  (roll) => {
    const [from, to] = [one(people, roll), one(people, roll)]
    return world.as(from, `insert into public.messages (sender_id, recipient_id, content) values ($1, $2, 'Hi')`, [
      from.profileId,
      to.profileId,
    ])
  },
  (roll) => world.as(one(people, roll), 'update public.messages set is_read = true'),
  (roll) =>
    reaction(
      one(creators, roll),
      roll(1000),
      `update public.posts set is_pinned = not is_pinned
       where id = (select p.id from public.posts p where p.creator_id = $1 order by md5(p.id::text || $2) limit 1)`,
    ),
  (roll) =>
    roll(4) > 0
      ? Promise.resolve()
      : world.as(
          one(people, roll),
          'insert into public.blocks (blocker_id, blocked_id) select private.my_profile_id(), $1',
          [one(people, roll).profileId],
        ),
]

/** Expected errors: rejections, and reactions to a post that is being deleted. Any other (a deadlock, a counter below zero) is a bug. */
const lawful = /^(42501|23503|23505|23514|PT\d{3})$/
const broken = /_count|likes_received|total_/

describe('counters and ledger', () => {
  it('match what they count after random concurrent walks [PROF-05, DATA-22, DATA-32]', async () => {
    const troubles: string[] = []
    let done = 0
    const neverDone = new Set(actions)
    const live = async (lane: number) => {
      const fraction = seededRandom(seed + lane)
      const roll = (sides: number) => Math.floor(fraction() * sides)
      for (let step = 0; step < steps / lanes; step += 1) {
        const action = one(actions, roll)
        try {
          await action(roll)
          done += 1
          neverDone.delete(action)
        } catch (error) {
          const { code = '', message, constraint = '', where = '' } = error as Partial<pg.DatabaseError>
          if (!lawful.test(code) || broken.test(constraint)) troubles.push(`${code} ${message}\n${where}`)
        }
      }
    }
    await Promise.all(Array.from({ length: lanes }, (_, lane) => live(lane)))
    expect(troubles).toEqual([])
    expect(done).toBeGreaterThan(steps / 3)
    expect([...neverDone].map(String), 'actions that were rejected every time').toEqual([])
    expect(await world.query('select * from private.verify_counters()')).toEqual([])
    expect(await world.query('select * from private.verify_ledger()')).toEqual([])
    expect(await world.query('select * from private.verify_conversations()')).toEqual([])
    const [left] = await world.query(
      `select (select count(*)::int from private.posts) as posts, (select count(*)::int from public.post_likes) as likes,
         (select count(*)::int from public.follows) as follows,
         (select count(*)::int from private.ledger_entries) as entries`,
    )
    // How many are left depends on which lane comes first. With far fewer than this, the checks above compare nothing.
    expect(left?.posts).toBeGreaterThan(5)
    expect(left?.likes).toBeGreaterThan(5)
    expect(left?.follows).toBeGreaterThan(5)
    expect(left?.entries).toBeGreaterThan(50)
  })

  it('are checked by functions that find a counter that is off by one', async () => {
    await world.query('update private.profiles set followers_count = followers_count + 1 where id = $1', [
      admin.profileId,
    ])
    expect(await world.query('select counter from private.verify_counters()')).toEqual([{ counter: 'followers_count' }])
  })
})
