import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type Caller,
  type Creator,
  type DatabaseFixture,
  openDatabaseFixture,
  type Person,
} from '../database-fixture.ts'

/** What unlocks a locked post, for how much, and what else comes with it (LOOP-14). */
let world: DatabaseFixture
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  fan = await world.buildPerson()
})
afterAll(() => world.close())

const unlocks = (caller: Caller, ...ids: string[]) => world.as(caller, 'select * from public.get_unlocks($1)', [ids])
const unlock = async (caller: Caller, id: string) => (await unlocks(caller, id))[0]
const postFor = async (creator: Creator, tierId?: string) =>
  (await world.buildPost(creator, { type: 'subscription', media: [], ...(tierId && { tierId }) })).id

/** $9.99 a month, $29.00, and a year for $60, which is the cheapest. */
async function buildLadder(tieredAccess: boolean) {
  const creator = await world.buildCreator({ tieredAccess })
  const studio = await world.buildProduct(creator, 2900)
  const yearly = await world.buildProduct(creator, 6000, 'year')
  return { creator, studio, yearly, monthly: creator.productId }
}

it('names the plan, its price and trial, and how many more posts it opens [LOOP-14]', async () => {
  const creator = await world.buildCreator()
  await world.query(`update public.subscription_products set name = 'Club', trial_days = 7 where id = $1`, [
    creator.productId,
  ])
  const ids = [await postFor(creator), await postFor(creator), await postFor(creator)]
  await world.buildPost(creator)
  await world.buildPost(creator, { type: 'ppv' })
  const offer = {
    plan_id: creator.productId,
    plan_name: 'Club',
    price_cents: 999,
    interval: 'month',
    trial_days: 7,
    more_posts: 2,
    is_subscribed: false,
  }
  for (const caller of ['anon', fan] as const)
    expect((await unlocks(caller, ...ids)).map(({ post_id, ...rest }) => rest)).toEqual([offer, offer, offer])
  expect(new Set((await unlocks('anon', ...ids)).map(({ post_id }) => post_id))).toEqual(new Set(ids))
})

it('has nothing to say of free, pay-per-view, unlocked, and unknown posts [LOOP-14]', async () => {
  const creator = await world.buildCreator()
  const free = (await world.buildPost(creator)).id
  const sale = (await world.buildPost(creator, { type: 'ppv' })).id
  const locked = await postFor(creator)
  const subscriber = await world.buildPerson()
  await world.subscribe(subscriber, creator)
  const nobody = '00000000-0000-4000-8000-00000000dead'
  expect(await unlocks('anon', free, sale, nobody)).toEqual([])
  expect(await unlocks(subscriber, locked)).toEqual([])
  expect(await unlocks(creator, locked)).toEqual([])
  expect(await unlocks('anon')).toEqual([])
  expect(await world.as('anon', 'select * from public.get_unlocks(null)')).toEqual([])
  expect(await world.as('anon', 'select * from public.get_unlocks(array[null::uuid])')).toEqual([])
})

it('offers the required plan where higher plans include lower ones [LOOP-14, LOOP-15, D14]', async () => {
  const { creator, studio, yearly, monthly } = await buildLadder(true)
  const [low, middle, high] = [await postFor(creator, yearly), await postFor(creator), await postFor(creator, studio)]
  expect(await unlock('anon', low)).toMatchObject({ plan_id: yearly, more_posts: 0 })
  expect(await unlock('anon', middle)).toMatchObject({ plan_id: monthly, more_posts: 1 })
  expect(await unlock('anon', high)).toMatchObject({ plan_id: studio, more_posts: 2 })
  // A subscriber of the cheapest plan already has one of them, and switches.
  const subscriber = await world.buildPerson()
  await world.subscribe(subscriber, creator, { productId: yearly })
  expect(await unlock(subscriber, high)).toMatchObject({ plan_id: studio, more_posts: 1, is_subscribed: true })
  // The next higher plan stands in for one that is off.
  await world.as(creator, 'update public.subscription_products set is_active = false where id = $1', [monthly])
  expect(await unlock('anon', middle)).toMatchObject({ plan_id: studio, more_posts: 2 })
  await world.as(creator, 'update public.subscription_products set is_active = false where id = $1', [studio])
  expect(await unlock('anon', high)).toBeUndefined()
  expect(await unlock('anon', low)).toMatchObject({ plan_id: yearly })
})

it('offers the cheapest plan where every plan opens every post [LOOP-14, D14]', async () => {
  const { creator, studio, yearly } = await buildLadder(false)
  await postFor(creator)
  const high = await postFor(creator, studio)
  expect(await unlock('anon', high)).toMatchObject({
    plan_id: yearly,
    price_cents: 6000,
    interval: 'year',
    more_posts: 1,
  })
})

it('agrees with the posts that the plan then opens [LOOP-14, POST-42]', async () => {
  for (const tiered of [true, false]) {
    const { creator, studio, yearly } = await buildLadder(tiered)
    const ids = [await postFor(creator, yearly), await postFor(creator), await postFor(creator, studio)]
    for (const id of ids) {
      const offer = await unlock('anon', id)
      const subscriber = await world.buildPerson()
      await world.subscribe(subscriber, creator, { productId: String(offer?.plan_id) })
      const open = await world.as(
        subscriber,
        `select id from public.posts where creator_id = $1 and not is_locked and post_type = 'subscription'`,
        [creator.profileId],
      )
      expect(open.map((post) => post.id)).toContain(id)
      expect(open).toHaveLength(Number(offer?.more_posts) + 1)
    }
  }
})

it('promises no trial to a former subscriber [LOOP-14, PROD-11]', async () => {
  const creator = await world.buildCreator()
  await world.query('update public.subscription_products set trial_days = 7 where id = $1', [creator.productId])
  const id = await postFor(creator)
  const former = await world.buildPerson()
  await world.subscribe(former, creator, { status: 'canceled', end: '-1 day' })
  expect(await unlock(former, id)).toMatchObject({ trial_days: 0, is_subscribed: false })
  expect(await unlock(fan, id)).toMatchObject({ trial_days: 7 })
})

it('counts up to a hundred more posts, and answers for a hundred ids [LOOP-14]', async () => {
  const creator = await world.buildCreator()
  const rows = await world.query(
    `insert into private.posts (creator_id, content, post_type, required_tier_id)
     select $1, 'Hello', 'subscription', $2 from generate_series(1, 150) returning id`,
    [creator.profileId, creator.productId],
  )
  const ids = rows.map(({ id }) => String(id))
  const found = await unlocks('anon', ...ids)
  expect(found).toHaveLength(100)
  expect(found[0]).toMatchObject({ more_posts: 100 })
})

it('sells nothing of a private profile, and nothing across a block [LOOP-14, PROF-22, D39]', async () => {
  const { creator, studio, yearly } = await buildLadder(true)
  const id = await postFor(creator, studio)
  const subscriber = await world.buildPerson()
  await world.subscribe(subscriber, creator, { productId: yearly })
  expect(await unlock(subscriber, id)).toMatchObject({ plan_id: studio })
  await world.as(creator, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
    creator.profileId,
    fan.profileId,
  ])
  expect(await unlock(fan, id)).toBeUndefined()
  await world.query('update private.profiles set is_private = true where id = $1', [creator.profileId])
  for (const caller of ['anon', subscriber] as const) expect(await unlock(caller, id)).toBeUndefined()
})
