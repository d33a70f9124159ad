import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

let world: DatabaseFixture
let creator: Creator
let fan: Person
let stranger: Person
let admin: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  creator = await world.buildCreator()
  fan = await world.buildPerson()
  stranger = await world.buildPerson()
  admin = await world.buildAdmin()
})
afterAll(() => world.close())

const status = async (id: string) =>
  (await world.query('select status from public.subscriptions where id = $1', [id]))[0]?.status
const subscribers = async (person: Creator) =>
  (await world.query('select subscribers_count from private.profiles where id = $1', [person.profileId]))[0]
    ?.subscribers_count

describe('subscriptions', () => {
  it('are readable by the fan, the creator, and admins [API-REST-20, API-REST-21]', async () => {
    const id = await world.subscribe(fan, creator)
    const read = 'select id from public.subscriptions where id = $1'
    for (const caller of [fan, creator, admin]) expect(await world.as(caller, read, [id])).toEqual([{ id }])
    expect(await world.as(stranger, read, [id])).toEqual([])
    await expect(world.as('anon', read, [id])).rejects.toMatchObject(refused)
  })

  it('are written only by the server [D5, GEN-35]', async () => {
    const insert = `insert into public.subscriptions (subscriber_id, creator_id, tier_id, status, access_until) values ($1, $2, $3, 'active', 'infinity')`
    for (const caller of [stranger, creator, admin]) {
      await expect(
        world.as(caller, insert, [stranger.profileId, creator.profileId, creator.productId]),
      ).rejects.toMatchObject(refused)
      await expect(world.as(caller, `update public.subscriptions set status = 'active'`)).rejects.toMatchObject(refused)
      await expect(world.as(caller, 'delete from public.subscriptions')).rejects.toMatchObject(refused)
      await expect(
        world.as(
          caller,
          'select private.apply_subscription_state(null,null,null,null,null,null,null,null,null,null,null)',
        ),
      ).rejects.toMatchObject(refused)
    }
  })
})

describe('apply_subscription_state', () => {
  it('applies a repeated state once [D5]', async () => {
    const seller = await world.buildCreator()
    const first = await world.subscribe(fan, seller, { stripeId: 'sub_twice' })
    expect(await world.subscribe(fan, seller, { stripeId: 'sub_twice' })).toBe(first)
    expect(await subscribers(seller)).toBe(1)
  })

  it('ignores an older state', async () => {
    const id = await world.subscribe(fan, creator, { stripeId: 'sub_order', status: 'active', eventAt: '-1 minute' })
    await world.subscribe(fan, creator, { stripeId: 'sub_order', status: 'incomplete', eventAt: '-2 minutes' })
    expect(await status(id)).toBe('active')
    await world.subscribe(fan, creator, { stripeId: 'sub_order', status: 'past_due', eventAt: '0 seconds' })
    expect(await status(id)).toBe('past_due')
  })

  it('never reactivates a canceled subscription', async () => {
    const id = await world.subscribe(fan, creator, { stripeId: 'sub_ended', status: 'canceled' })
    await world.subscribe(fan, creator, { stripeId: 'sub_ended', status: 'active', eventAt: '1 minute' })
    expect(await status(id)).toBe('canceled')
  })

  it('keeps the later stage of two states with the same time', async () => {
    const [row] = await world.query('select now() as at')
    const apply = (state: string) =>
      world.as(
        'service_role',
        `select private.apply_subscription_state('sub_same_second', $1, $2, $3, $4, now(), now() + interval '1 month', null, false, null, $5) as id`,
        [fan.profileId, creator.profileId, creator.productId, state, row?.at],
      )
    const [first] = await apply('active')
    await apply('incomplete')
    expect(await status(String(first?.id))).toBe('active')
  })

  it('counts the grace period from the first failed charge [SUB-16]', async () => {
    const id = await world.subscribe(fan, creator, { stripeId: 'sub_grace', status: 'past_due', eventAt: '-80 hours' })
    await world.subscribe(fan, creator, { stripeId: 'sub_grace', status: 'past_due', eventAt: '-1 hour' })
    const [row] = await world.query('select access_until < now() as is_over from public.subscriptions where id = $1', [
      id,
    ])
    expect(row).toEqual({ is_over: true })
  })

  it('counts paying and trial subscribers, and notifies the creator once of a trial [NOTI-15, LOOP-17, DATA-31]', async () => {
    const seller = await world.buildCreator()
    const trial = { stripeId: 'sub_trial', status: 'trialing', trialEnd: '7 days' }
    await world.subscribe(fan, seller, trial)
    await world.subscribe(fan, seller, trial)
    expect(await subscribers(seller)).toBe(1)
    const told = await world.as(seller, 'select type, title, message from public.notifications')
    expect(told).toEqual([{ type: 'subscription', title: `${fan.username} started a free trial of Plan`, message: '' }])
    await world.subscribe(fan, seller, { ...trial, status: 'canceled', eventAt: '1 minute' })
    expect(await subscribers(seller)).toBe(0)
  })

  it('creates one row when eight workers write one new subscription', async () => {
    const seller = await world.buildCreator()
    const ids = await Promise.all(
      Array.from({ length: 8 }, () => world.subscribe(fan, seller, { stripeId: 'sub_race' })),
    )
    expect(new Set(ids).size).toBe(1)
    expect(await subscribers(seller)).toBe(1)
  })
})

describe('get_subscription_status', () => {
  const ask = (caller: Person | 'anon' | 'service_role', subscriber: Person, seller: Creator) =>
    world.as(caller, 'select * from public.get_subscription_status($1, $2)', [subscriber.profileId, seller.profileId])

  it('answers the fan, the creator, admins, and the server, and rejects others [RPC-05]', async () => {
    const seller = await world.buildCreator()
    await world.subscribe(fan, seller)
    for (const caller of [fan, seller, admin, 'service_role'] as const) {
      expect(await ask(caller, fan, seller)).toMatchObject([{ status: 'active', days_remaining: 30, has_access: true }])
    }
    await expect(ask(stranger, fan, seller)).rejects.toMatchObject(refused)
    await expect(ask('anon', fan, seller)).rejects.toMatchObject(refused)
  })

  it('returns an empty list without a subscription [SUB-18]', async () => {
    expect(await ask(stranger, stranger, creator)).toEqual([])
    const seller = await world.buildCreator()
    await world.subscribe(stranger, seller, { status: 'incomplete' })
    expect(await ask(stranger, stranger, seller)).toEqual([])
  })

  it.each([
    [{}, { status: 'active', days_remaining: 30, has_access: true }],
    [
      { status: 'trial', trialEnd: '36 hours' },
      { status: 'trial', days_remaining: 2, has_access: true },
    ],
    [
      { status: 'trial', trialEnd: '-1 hour', end: '-1 hour' },
      { status: 'trial', days_remaining: 0, has_access: false },
    ],
    [
      { status: 'past_due', eventAt: '-1 hour' },
      { status: 'past_due', days_remaining: 3, has_access: true },
    ],
    [
      { cancelAtPeriodEnd: true, end: '5 days' },
      { status: 'canceled', days_remaining: 5, has_access: true },
    ],
    [
      { status: 'canceled', end: '5 days' },
      { status: 'canceled', days_remaining: 0, has_access: false },
    ],
  ])('returns for %o: %o [DATA-20, SUB-15, SUB-16, SUB-17]', async (state, expected) => {
    const [person, seller] = [await world.buildPerson(), await world.buildCreator()]
    await world.subscribe(person, seller, state)
    expect(await ask(person, person, seller)).toMatchObject([{ ...expected, current_period_end: expect.any(Date) }])
  })

  it('returns the subscription with access first', async () => {
    const [person, seller] = [await world.buildPerson(), await world.buildCreator()]
    await world.subscribe(person, seller)
    await world.subscribe(person, seller, { status: 'canceled' })
    expect(await ask(person, person, seller)).toMatchObject([{ status: 'active' }, { status: 'canceled' }])
  })
})
