import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Caller,
  type Creator,
  type DatabaseFixture,
  openDatabaseFixture,
  type Person,
  refused,
} from '../database-fixture.ts'

/** The addresses of private feeds (RSS-02): who gets one, when it ends, and how its use from many places is noticed. */
let world: DatabaseFixture
let creator: Creator
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
})
afterAll(() => world.close())
beforeEach(async () => {
  creator = await world.buildCreator()
  fan = await world.buildPerson()
})

type Address = { token: string; is_paused: boolean }
const get = async (caller: Caller, of: Person = creator) =>
  (await world.as(caller, 'select * from public.get_feed_address($1)', [of.profileId]))[0] as Address
const renew = async (caller: Caller, of: Person = creator) =>
  (await world.as(caller, 'select * from public.renew_feed_address($1)', [of.profileId]))[0] as Address
const hashOf = (token: string) => createHash('sha256').update(token).digest()
/** What the server reads when someone opens the address. */
const open = async ({ token }: Address, network: string | null = null) =>
  (await world.as('service_role', 'select * from private.open_feed($1, $2)', [hashOf(token), network]))[0]
const bell = () => world.as(fan, `select title, message, data from public.notifications where type = 'other'`)
const networksOf = async () => {
  const [row] = await world.query('select networks from private.feed_addresses where fan_id = $1', [fan.profileId])
  return Object.keys(row?.networks as object)
}
/** Moves the times at which networks were seen into the past. */
const age = (hours: number) =>
  world.query(
    `update private.feed_addresses set networks = (
       select jsonb_object_agg(n.key, n.value::timestamptz - make_interval(hours => $2)) from jsonb_each_text(networks) n
     ) where fan_id = $1`,
    [fan.profileId, hours],
  )

describe('the address of a private feed', () => {
  it('is one for each fan and creator, and stays until it is renewed [RSS-02]', async () => {
    const other = await world.buildPerson()
    for (const person of [fan, other]) await world.subscribe(person, creator)
    const address = await get(fan)
    expect(address).toEqual({ token: expect.stringMatching(/^[0-9a-f]{48}$/), is_paused: false })
    expect(await get(fan)).toEqual(address)
    expect((await get(other)).token).not.toBe(address.token)
    expect(await open(address)).toEqual({
      user_id: fan.userId,
      fan_id: fan.profileId,
      creator_id: creator.profileId,
      paused_at: null,
    })
  })

  it('is the same for two devices that ask at the same time [RSS-02]', async () => {
    await world.subscribe(fan, creator)
    const addresses = await Promise.all([get(fan), get(fan), get(fan)])
    expect(new Set(addresses.map(({ token }) => token)).size).toBe(1)
    expect(await open(addresses[0] as Address)).toBeDefined()
  })

  it('is only for subscribers whose subscription gives access [RSS-02]', async () => {
    const follower = await world.buildPerson()
    await world.as(follower, 'insert into public.follows (follower_id, following_id) values ($1, $2)', [
      follower.profileId,
      creator.profileId,
    ])
    const lapsed = await world.buildPerson()
    await world.subscribe(lapsed, creator, { status: 'unpaid' })
    for (const caller of [follower, lapsed, creator, await world.buildAdmin()]) {
      await expect(get(caller)).rejects.toMatchObject({ code: 'PT403' })
      await expect(renew(caller)).rejects.toMatchObject({ code: 'PT403' })
    }
    for (const caller of ['anon', 'service_role'] as const) await expect(get(caller)).rejects.toMatchObject(refused)
    expect(await world.query('select from private.feed_addresses where creator_id = $1', [creator.profileId])).toEqual(
      [],
    )
  })

  it.each([
    ['a trial', { status: 'trial', trialEnd: '7 days' }],
    ['the grace period of a failed payment', { status: 'past_due' }],
    ['the rest of a canceled period', { cancelAtPeriodEnd: true }],
  ])('works during %s [RSS-02]', async (_what, state) => {
    await world.subscribe(fan, creator, state)
    expect(await open(await get(fan))).toMatchObject({ fan_id: fan.profileId })
  })

  it('stops working when it is renewed, and the new one works [RSS-02]', async () => {
    await world.subscribe(fan, creator)
    const before = await get(fan)
    const after = await renew(fan)
    expect(await open(before)).toBeUndefined()
    expect(await open(after)).toMatchObject({ fan_id: fan.profileId })
    expect(await get(fan)).toEqual(after)
  })

  it('opens nothing by a wrong token, and is stored only as a hash [RSS-02]', async () => {
    await world.subscribe(fan, creator)
    const { token } = await get(fan)
    expect(await open({ token: token.replace(/.$/, (last) => (last === '0' ? '1' : '0')), is_paused: false })).toBe(
      undefined,
    )
    expect(await world.query('select from private.feed_addresses f where f::text like $1', [`%${token}%`])).toEqual([])
    const [row] = await world.query('select token_hash from private.feed_addresses where fan_id = $1', [fan.profileId])
    expect(row?.token_hash).toEqual(hashOf(token))
  })

  it('can’t be opened by clients, whatever hash they know [RSS-02]', async () => {
    await world.subscribe(fan, creator)
    const { token } = await get(fan)
    for (const caller of [fan, creator, 'anon'] as const) {
      await expect(
        world.as(caller, 'select * from private.open_feed($1, null)', [hashOf(token)]),
      ).rejects.toMatchObject(refused)
    }
  })
})

describe('the address ends', () => {
  beforeEach(() => world.subscribe(fan, creator, { stripeId: `sub_${fan.username}` }))

  it('with the subscription, and a new subscription doesn’t bring it back [RSS-02]', async () => {
    const address = await get(fan)
    await world.subscribe(fan, creator, { stripeId: `sub_${fan.username}`, status: 'canceled', eventAt: '1 second' })
    expect(await open(address)).toBeUndefined()
    await expect(get(fan)).rejects.toMatchObject({ code: 'PT403' })
    await world.subscribe(fan, creator)
    expect(await open(address)).toBeUndefined()
    const next = await get(fan)
    expect(next.token).not.toBe(address.token)
    expect(await open(next)).toMatchObject({ fan_id: fan.profileId })
    expect(await open(address)).toBeUndefined()
  })

  it('by the clock, at the moment when access ends [RSS-02]', async () => {
    const address = await get(fan)
    await world.subscribe(fan, creator, {
      stripeId: `sub_${fan.username}`,
      cancelAtPeriodEnd: true,
      start: '-30 days',
      end: '-1 second',
      eventAt: '1 second',
    })
    expect(await open(address)).toBeUndefined()
  })

  it.each([
    ['the creator', () => [creator, fan] as const],
    ['the fan', () => [fan, creator] as const],
  ])('when %s blocks the other [RSS-02]', async (_who, parties) => {
    const address = await get(fan)
    const [blocker, blocked] = parties()
    await world.as(blocker, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
      blocker.profileId,
      blocked.profileId,
    ])
    expect(await open(address)).toBeUndefined()
    await expect(get(fan)).rejects.toMatchObject({ code: 'PT403' })
  })

  it.each([
    ['the creator', () => creator],
    ['the fan', () => fan],
  ])('when %s is suspended [RSS-02]', async (_who, person) => {
    const address = await get(fan)
    await world.as(await world.buildAdmin(), `select public.suspend_user($1, 'Spam')`, [person().profileId])
    expect(await open(address)).toBeUndefined()
    await expect(get(fan)).rejects.toThrow()
  })

  it.each([
    ['the creator', () => creator],
    ['the fan', () => fan],
  ])('when %s deletes their account, with the row [RSS-02]', async (_who, person) => {
    const address = await get(fan)
    await world.as('service_role', 'select private.delete_account($1)', [person().userId])
    expect(await open(address)).toBeUndefined()
    expect(
      await world.query('select from private.feed_addresses where token_hash = $1', [hashOf(address.token)]),
    ).toEqual([])
  })
})

describe('use from many places', () => {
  let address: Address
  beforeEach(async () => {
    await world.subscribe(fan, creator)
    address = await get(fan)
  })
  const openFrom = async (...networks: string[]) => {
    let opened: Awaited<ReturnType<typeof open>>
    for (const network of networks) opened = await open(address, network)
    return opened
  }

  it('is allowed up to five networks in a day, each as often as it likes [RSS-02]', async () => {
    expect(await openFrom('a', 'b', 'a', 'c', 'd', 'e', 'a', 'e')).toMatchObject({ paused_at: null })
    expect((await networksOf()).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(await bell()).toEqual([])
  })

  it('pauses the feed at the sixth, notifies the fan once, and forgets the networks [RSS-02]', async () => {
    expect(await openFrom('a', 'b', 'c', 'd', 'e', 'f')).toMatchObject({ paused_at: expect.any(Date) })
    expect(await openFrom('g', 'a')).toMatchObject({ paused_at: expect.any(Date) })
    expect(await get(fan)).toEqual({ ...address, is_paused: true })
    expect(await networksOf()).toEqual([])
    expect(await bell()).toEqual([
      {
        title: `Your private feed of ${creator.username} is paused`,
        message:
          "It was read in more places than one person uses. To go on, renew its address in the menu of the creator's profile.",
        data: { profile_id: creator.profileId },
      },
    ])
  })

  it('notifies once when many networks arrive at the same moment [RSS-02]', async () => {
    await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((network) => open(address, network)))
    expect(await open(address)).toMatchObject({ paused_at: expect.any(Date) })
    expect(await bell()).toHaveLength(1)
  })

  it('counts a network for 24 hours after it was last seen [RSS-02]', async () => {
    await openFrom('a', 'b', 'c', 'd', 'e')
    await age(23)
    await openFrom('a')
    await age(2)
    expect(await openFrom('f', 'g', 'h', 'i')).toMatchObject({ paused_at: null })
    expect((await networksOf()).toSorted()).toEqual(['a', 'f', 'g', 'h', 'i'])
  })

  it('starts again with a renewed address [RSS-02]', async () => {
    await openFrom('a', 'b', 'c', 'd', 'e', 'f')
    address = await renew(fan)
    expect(address.is_paused).toBe(false)
    expect(await openFrom('a', 'b', 'c', 'd', 'e')).toMatchObject({ paused_at: null })
  })

  it('writes at most once an hour for a network, and nothing for an unknown one [RSS-02]', async () => {
    const version = async () =>
      (await world.query('select xmin::text from private.feed_addresses where fan_id = $1', [fan.profileId]))[0]?.xmin
    const fresh = await version()
    await open(address, null)
    expect(await version()).toBe(fresh)
    await openFrom('a')
    const first = await version()
    expect(first).not.toBe(fresh)
    await openFrom('a', 'a')
    expect(await version()).toBe(first)
    await age(2)
    const aged = await version()
    await openFrom('a')
    expect(await version()).not.toBe(aged)
  })
})
