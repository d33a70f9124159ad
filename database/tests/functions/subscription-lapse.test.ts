import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'
import { openBooks } from '../open-books.ts'

let world: DatabaseFixture
let creator: Creator
let fan: Person
let stripeId: string
beforeAll(async () => {
  world = await openDatabaseFixture()
})
afterAll(() => world.close())
beforeEach(async () => {
  creator = await world.buildCreator()
  fan = await world.buildPerson()
  stripeId = `sub_${fan.username}`
})
afterEach(async () => expect(await openBooks(world).problems()).toEqual([]))

const expire = async () =>
  (await world.as('service_role', 'select id from private.expire_subscriptions() as id')).map((row) => row.id)
const state = async () =>
  (
    await world.as(fan, 'select status, has_access, days_remaining from public.get_subscription_status($1, $2)', [
      fan.profileId,
      creator.profileId,
    ])
  )[0]
const told = () => world.as(fan, 'select title from public.notifications')
const subscribers = async () =>
  (await world.query('select subscribers_count from private.profiles where id = $1', [creator.profileId]))[0]
    ?.subscribers_count

describe('expire_subscriptions', () => {
  it.each([
    ['canceled at its period end', { cancelAtPeriodEnd: true, start: '-31 days', end: '-2 hours' }, 'canceled'],
    ['past due beyond its three days', { status: 'past_due', eventAt: '-73 hours 30 minutes' }, 'unpaid'],
    ['a trial that nothing followed', { status: 'trialing', trialEnd: '-2 hours', end: '-2 hours' }, 'unpaid'],
  ])(
    'ends one that is %s, stops counting it, and notifies the fan [SUB-15, SUB-16, SUB-17, NOTI-15]',
    async (_what, given, ended) => {
      await world.subscribe(fan, creator, {
        ...given,
        stripeId,
        eventAt: 'eventAt' in given ? given.eventAt : '-40 days',
      })
      if ('status' in given && given.status === 'past_due')
        await world.query(
          `update public.subscriptions set past_due_since = now() - interval '73 hours 30 minutes' where subscriber_id = $1`,
          [fan.profileId],
        )
      expect(await expire()).toContain(stripeId)
      expect(await state()).toEqual({ status: ended, has_access: false, days_remaining: 0 })
      expect(await subscribers()).toBe(0)
      expect(await told()).toEqual([{ title: `Your subscription to ${creator.username} has ended` }])
      expect(await expire()).not.toContain(stripeId)
    },
  )

  it('gives three days of grace once, however long Stripe retries [SUB-16]', async () => {
    const provider = (status: string) => world.subscribe(fan, creator, { stripeId, status })
    await provider('active')
    await provider('past_due')
    await world.query(
      `update public.subscriptions set past_due_since = now() - interval '73 hours 30 minutes' where subscriber_id = $1`,
      [fan.profileId],
    )
    await expire()
    await provider('past_due')
    expect(await state()).toEqual({ status: 'unpaid', has_access: false, days_remaining: 0 })
    expect(await expire()).not.toContain(stripeId)
    expect(await told()).toEqual([{ title: `Your subscription to ${creator.username} has ended` }])
    // Paid after all; the next failure has a grace of its own.
    await provider('active')
    expect(await state()).toMatchObject({ status: 'active', has_access: true })
    await provider('past_due')
    expect(await state()).toMatchObject({ status: 'past_due', has_access: true, days_remaining: 3 })
  })

  it.each([
    ['active', { status: 'active' }],
    ['in its trial', { status: 'trialing', trialEnd: '1 hour' }],
    ['in its grace period', { status: 'past_due' }],
    ['canceled, its paid time not over', { cancelAtPeriodEnd: true, end: '1 minute' }],
    ['over for less than an hour', { cancelAtPeriodEnd: true, end: '-59 minutes' }],
  ])('keeps one that is %s', async (_what, given) => {
    await world.subscribe(fan, creator, { ...given, stripeId })
    expect(await expire()).not.toContain(stripeId)
    expect(await subscribers()).toBe(1)
  })

  it('yields to Stripe: a subscription that was resumed in time stays active', async () => {
    await world.subscribe(fan, creator, {
      stripeId,
      cancelAtPeriodEnd: true,
      start: '-31 days',
      end: '-2 hours',
      eventAt: '-3 hours',
    })
    await expire()
    await world.subscribe(fan, creator, { stripeId, status: 'active', eventAt: '-150 minutes' })
    expect(await state()).toMatchObject({ status: 'active', has_access: true })
    expect(await subscribers()).toBe(1)
    await world.subscribe(fan, creator, { stripeId, status: 'canceled', eventAt: '0 minutes' })
    await world.subscribe(fan, creator, { stripeId, status: 'active', eventAt: '1 minute' })
    expect(await state()).toMatchObject({ status: 'canceled', has_access: false })
  })

  it('is only for the job', async () => {
    await expect(world.as(fan, 'select private.expire_subscriptions()')).rejects.toMatchObject(refused)
  })
})

describe('the countdown', () => {
  const until = async () =>
    (
      await world.as(
        fan,
        'select access_until - now() as left, current_period_end from public.get_subscription_status($1, $2)',
        [fan.profileId, creator.profileId],
      )
    )[0]

  it.each([
    ['a trial', { status: 'trialing', trialEnd: '5 days', end: '5 days' }, 4],
    ['a canceled subscription', { cancelAtPeriodEnd: true, end: '6 days' }, 5],
    ['a failed charge, by its grace period', { status: 'past_due', end: '30 days' }, 2],
  ])('of %s ends with its access [SUB-15, SUB-16, SUB-17, SUB-20]', async (_what, given, days) => {
    await world.subscribe(fan, creator, { ...given, stripeId })
    expect((await until())?.left).toMatchObject({ days, hours: 23 })
  })

  it('has no end while the subscription renews', async () => {
    await world.subscribe(fan, creator, { stripeId })
    expect((await until())?.left).toBeNull()
  })
})
