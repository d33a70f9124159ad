import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'
import { openBooks } from '../open-books.ts'

let world: DatabaseFixture
let books: ReturnType<typeof openBooks>
let creator: Creator
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  books = openBooks(world)
})
afterAll(() => world.close())
beforeEach(async () => {
  ;[creator, fan] = [await world.buildCreator(), await world.buildPerson()]
})

const row = async () =>
  (
    await world.query('select * from private.fans where creator_id = $1 and fan_id = $2', [
      creator.profileId,
      fan.profileId,
    ])
  )[0]
const follow = () =>
  world.as(fan, 'insert into public.follows (follower_id, following_id) values ($1, $2)', [
    fan.profileId,
    creator.profileId,
  ])
const unfollow = () => world.as(fan, 'delete from public.follows where following_id = $1', [creator.profileId])
const nothing = { spent: '0', tipped: '0', posts_bought: 0, messages_bought: 0, sessions_bought: 0 }

describe("a creator's fans", () => {
  it('are those who follow, until they stop', async () => {
    await follow()
    expect(await row()).toMatchObject(nothing)
    await unfollow()
    expect(await row()).toBeUndefined()
  })

  it('are those who have ever subscribed, but not those who never paid for the checkout', async () => {
    const stripeId = `sub_${fan.username}`
    await world.subscribe(fan, creator, { stripeId, status: 'incomplete' })
    expect(await row()).toBeUndefined()
    await world.subscribe(fan, creator, { stripeId, eventAt: '1 second' })
    await world.subscribe(fan, creator, { stripeId, status: 'canceled', eventAt: '2 seconds' })
    await unfollow()
    expect(await row()).toMatchObject(nothing)
  })

  it('have no subscription anymore when its only one becomes incomplete after all', async () => {
    const stripeId = `sub_${fan.username}`
    await world.subscribe(fan, creator, { stripeId })
    await world.subscribe(fan, creator, { stripeId, status: 'incomplete', eventAt: '1 second' })
    expect(await row(), 'who follows since the subscription').toMatchObject({
      ...nothing,
      plan_id: null,
      subscription_status: null,
      subscribed_until: null,
    })
    await unfollow()
    expect(await row()).toBeUndefined()

    await world.subscribe(fan, creator, { stripeId, eventAt: '2 seconds' })
    await unfollow()
    await world.subscribe(fan, creator, { stripeId, status: 'incomplete', eventAt: '3 seconds' })
    expect(await row()).toBeUndefined()
    expect(await world.query('select * from private.verify_fans()')).toEqual([])
  })

  it('have the subscription that gives access longest, or that ended last', async () => {
    const [first, second] = [`sub_1_${fan.username}`, `sub_2_${fan.username}`]
    const state = async () => {
      const { subscription_status, renewal_off, subscribed_until } = (await row()) ?? {}
      return [
        subscription_status,
        renewal_off,
        subscribed_until === Number.POSITIVE_INFINITY || Number(subscribed_until) > Date.now(),
      ]
    }
    await world.subscribe(fan, creator, { stripeId: first })
    expect(await state()).toEqual(['active', false, true])
    await world.subscribe(fan, creator, { stripeId: first, cancelAtPeriodEnd: true, eventAt: '1 second' })
    expect(await state()).toEqual(['active', true, true])
    await world.subscribe(fan, creator, {
      stripeId: second,
      status: 'past_due',
      start: '-40 days',
      end: '-10 days',
      eventAt: '-9 days',
    })
    expect(await state()).toEqual(['active', true, true])
    const ended = { status: 'canceled', cancelAtPeriodEnd: true, start: '-40 days', end: '-1 day' }
    await world.subscribe(fan, creator, { ...ended, stripeId: first, eventAt: '2 seconds' })
    await world.subscribe(fan, creator, { ...ended, stripeId: second, end: '-10 days', eventAt: '2 seconds' })
    expect(await state()).toEqual(['canceled', true, false])
    expect(Number((await row())?.subscribed_until)).toBeGreaterThan(Date.now() - 2 * 86_400_000)
    expect(await world.query('select * from private.verify_counters()')).toEqual([])
    await world.query('update private.fans set renewal_off = false where creator_id = $1', [creator.profileId])
    expect(await world.query('select counter from private.verify_counters()')).toEqual([
      { counter: 'fans.subscription' },
    ])
    await world.query('update private.fans set renewal_off = true where creator_id = $1', [creator.profileId])
  })

  it('are those who have ever paid, with what is left after refunds', async () => {
    const post = await world.buildPost(creator, { type: 'ppv' })
    const bought = await books.buy(fan, creator, post.id, { gross: 500 })
    const tip = await books.tip(fan, creator, { gross: 700 })
    await world.pay(fan, creator, { gross: 999 })
    expect(await row()).toMatchObject({ ...nothing, spent: '2199', tipped: '700', posts_bought: 1 })
    await books.refund(tip, 200)
    await books.refund(bought)
    expect(await row()).toMatchObject({ ...nothing, spent: '1499', tipped: '500' })
    await unfollow()
    expect(await row()).toMatchObject({ spent: '1499' })
  })

  it('get back what they spent when they lose a dispute', async () => {
    const post = await world.buildPost(creator, { type: 'ppv' })
    const bought = await books.buy(fan, creator, post.id)
    await books.dispute(bought, 'open')
    expect(await row()).toMatchObject(nothing)
    await books.dispute(bought, 'won')
    expect(await row()).toMatchObject({ spent: '1000', posts_bought: 1 })
  })

  it('are fans since the first time, even if that payment arrives later than others', async () => {
    await books.tip(fan, creator, { at: '2026-05-02T12:00:00Z' })
    await books.tip(fan, creator, { at: '2026-05-01T12:00:00Z' })
    expect(await row()).toMatchObject({ since: new Date('2026-05-01T12:00:00Z') })
  })

  it('are forgotten with either account', async () => {
    await books.tip(fan, creator)
    const other = await world.buildPerson()
    await books.tip(other, creator)
    await world.query('select private.delete_account($1, $1)', [fan.userId])
    expect(await row()).toBeUndefined()
    await world.query('select private.delete_account($1, $1)', [creator.userId])
    expect(await world.query('select from private.fans where creator_id = $1', [creator.profileId])).toEqual([])
  })

  it("can't be read by any client, not even by the creator", async () => {
    await follow()
    for (const caller of [creator, fan, 'anon' as const])
      await expect(world.as(caller, 'select * from private.fans')).rejects.toMatchObject(refused)
  })

  it('are what the sources say, and a difference is found', async () => {
    await follow()
    const problems = () =>
      world.query('select profile_id, counter, kept::int, counted::int from private.verify_counters()')
    expect(await problems()).toEqual([])
    await world.query('update private.fans set tipped = 5 where creator_id = $1', [creator.profileId])
    expect(await problems()).toEqual([{ profile_id: creator.profileId, counter: 'fans.tipped', kept: 5, counted: 0 }])
    await world.query('delete from private.fans where creator_id = $1', [creator.profileId])
    expect(await problems()).toEqual([{ profile_id: creator.profileId, counter: 'fans.fan_id', kept: 0, counted: 1 }])
    await world.query('delete from public.follows where following_id = $1', [creator.profileId])
    expect(await problems()).toEqual([])
  })

  it('stay when they pay at the moment they stop following', async () => {
    await follow()
    const leaving = await world.begin(fan, [`delete from public.follows where following_id = '${creator.profileId}'`])
    const tip = books.tip(fan, creator, { gross: 500 })
    await leaving.commit()
    await tip
    expect(await row()).toMatchObject({ spent: '500' })
    expect(await world.query('select * from private.verify_counters()')).toEqual([])
  })

  it('are filled from what was there before', async () => {
    await books.tip(fan, creator)
    const before = await world.query('select * from private.fans order by creator_id, fan_id')
    expect(await world.query('select * from private.compute_fans() order by creator_id, fan_id')).toEqual(before)
  })
})
