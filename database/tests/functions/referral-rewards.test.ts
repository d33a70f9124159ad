import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Creator, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'
import { openBooks } from '../open-books.ts'

let world: DatabaseFixture
let books: ReturnType<typeof openBooks>
let referrer: Person
let fan: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  books = openBooks(world)
  fan = await world.buildPerson()
})
afterAll(() => world.close())
beforeEach(async () => {
  referrer = await world.buildPerson({ meta: { display_name: 'Rea' } })
})
afterEach(async () => expect(await books.problems()).toEqual([]))

const join = () =>
  world.buildPerson({ meta: { ref: `REF${referrer.profileId.slice(0, 8).toUpperCase()}`, display_name: 'Joy' } })
const approve = (person: Person) =>
  world.query(
    `update private.profiles set is_verified = true, stripe_account_id = $2, stripe_charges_enabled = true where id = $1`,
    [person.profileId, `acct_${person.username}`],
  )
async function inviteCreator(): Promise<Creator> {
  const person = await join()
  await approve(person)
  return { ...person, productId: await world.buildProduct(person, 999) }
}
const stats = async (caller: Person = referrer) =>
  (await world.as(caller, 'select * from public.get_referral_stats($1)', [referrer.profileId]))[0]
const history = () =>
  world.as(
    referrer,
    `select status, reward_amount, count(*)::int from public.referrals where referrer_id = $1 group by 1, 2 order by 1`,
    [referrer.profileId],
  )

describe('rewards', () => {
  it('are credited once with the tenth completed referral, and mark all ten as paid [REF-05, REF-18, REF-21, NOTI-15, DATA-33, D17]', async () => {
    const people = await Promise.all(Array.from({ length: 11 }, join))
    expect(await stats()).toEqual({
      total_referrals: 11,
      completed_referrals: 0,
      pending_referrals: 11,
      total_earned: '0',
      pending_rewards: '0',
    })
    for (const person of people.slice(0, 9)) await approve(person)
    expect(await stats()).toMatchObject({ completed_referrals: 9, total_earned: '0', pending_rewards: '900' })
    await Promise.all(people.slice(9).map(approve))
    expect(await stats()).toEqual({
      total_referrals: 11,
      completed_referrals: 11,
      pending_referrals: 0,
      total_earned: '1000',
      pending_rewards: '100',
    })
    expect(await history()).toEqual([
      { status: 'completed', reward_amount: 0, count: 1 },
      { status: 'paid', reward_amount: 100, count: 10 },
    ])
    const told = await world.as(referrer, 'select title, count(*)::int from public.notifications group by 1 order by 2')
    expect(told).toEqual([
      { title: 'You earned a referral reward of $10.00', count: 1 },
      { title: 'Joy became a creator', count: 11 },
    ])
    expect(await books.balance(referrer)).toBe(1000)
    await world.as('service_role', 'select private.credit_rewards($1)', [referrer.profileId])
    expect(await books.balance(referrer)).toBe(1000)
  })

  it('count a completed referral whose account was deleted [REF-12, D31]', async () => {
    const person = await inviteCreator()
    await world.as('service_role', 'select private.delete_account($1)', [person.userId])
    expect(await stats()).toMatchObject({ total_referrals: 1, completed_referrals: 1, pending_rewards: '100' })
  })

  it("don't count a pending referral whose account was deleted [REF-11, REF-16]", async () => {
    const person = await join()
    expect(await history()).toEqual([{ status: 'pending', reward_amount: 0, count: 1 }])
    await world.as('service_role', 'select private.delete_account($1)', [person.userId])
    expect(await history()).toEqual([])
    expect(await stats()).toMatchObject({ total_referrals: 0, pending_referrals: 0 })
  })

  it("aren't credited twice when an approval is revoked and granted again", async () => {
    const person = await inviteCreator()
    for (const verified of [false, true])
      await world.query('update private.profiles set is_verified = $2 where id = $1', [person.profileId, verified])
    expect(await stats()).toMatchObject({ completed_referrals: 1, pending_rewards: '100' })
  })
})

describe('the commission', () => {
  it("is 5% of the creator's earnings, out of the fee, and follows refunds [REF-19, D17]", async () => {
    const creator = await inviteCreator()
    const tip = await books.tip(fan, creator, { gross: 10_000, fee: 1000 })
    expect(await books.balance(referrer)).toBe(450)
    expect(await books.balance(creator)).toBe(9000)
    await books.refund(tip, 5000)
    expect(await books.balance(referrer)).toBe(225)
    await books.dispute(tip, 'open', 5000)
    expect(await stats()).toMatchObject({ total_earned: '0' })
    await books.dispute(tip, 'won', 5000)
    expect(await stats()).toMatchObject({ total_earned: '225' })
  })

  it('that was transferred may be paid out after a refund took it back: the next one offsets it', async () => {
    const creator = await inviteCreator()
    await world.query(
      'update private.profiles set stripe_account_id = $2, stripe_payouts_enabled = true where id = $1',
      [referrer.profileId, `acct_${referrer.username}`],
    )
    await books.tip(fan, creator, { gross: 10_000 })
    const refunded = await books.tip(fan, creator, { gross: 10_000 })
    await world.query('select private.begin_referral_transfers()')
    await books.refund(refunded)
    expect(await books.balance(referrer)).toBe(450)
    await books.payOut(referrer, 900, 'po_transferred')
    await books.payOut(referrer, 100, 'po_too_much', new Date(Date.now() + 2_000).toISOString())
    const differences = `select cause, expected_cents::int as expected from private.payment_differences where resolved_at is null and cause like 'po_t%'`
    const more = [{ cause: 'po_too_much', expected: 0 }]
    expect(await world.query(differences)).toEqual(more)
    await world.query(`select private.settle_differences(now(), '{}', '{}')`)
    expect(await world.query(differences)).toEqual(more)
  })

  it('is never more than the fee', async () => {
    const creator = await inviteCreator()
    await books.tip(fan, creator, { gross: 10_000, fee: 100 })
    expect(await books.balance(referrer)).toBe(100)
    await books.tip(fan, creator, { gross: 10_000, fee: 0 })
    expect(await books.balance(referrer)).toBe(100)
  })

  it('ends at $750 for each creator [REF-20]', async () => {
    const creator = await inviteCreator()
    for (let i = 0; i < 9; i++) await world.pay(fan, creator, { gross: 200_000, fee: 20_000 })
    expect(await books.balance(referrer)).toBe(75_000)
    expect(await world.as(referrer, 'select commission_amount from public.referrals')).toEqual([
      { commission_amount: 75_000 },
    ])
    const other = await inviteCreator()
    await books.tip(fan, other, { gross: 10_000, fee: 1000 })
    expect(await books.balance(referrer)).toBe(75_450)
  })

  it.each([
    ['6 months 1 minute', 0],
    ['5 months', 450],
  ])('of a creator approved %s ago is %i cents [REF-19]', async (ago, cents) => {
    const creator = await inviteCreator()
    await world.query('update public.referrals set completed_at = now() - $2::interval where referred_id = $1', [
      creator.profileId,
      ago,
    ])
    await books.tip(fan, creator, { gross: 10_000, fee: 1000 })
    expect(await books.balance(referrer)).toBe(cents)
    expect(await books.balance(creator)).toBe(9000) // the platform pays the commission
  })

  it("isn't credited without a referral, or for a deleted referrer", async () => {
    await books.tip(fan, await world.buildCreator())
    expect(await books.balance(referrer)).toBe(0)
    const creator = await inviteCreator()
    const tip = await books.tip(fan, creator)
    const earned = await books.balance(referrer)
    expect(earned).toBeGreaterThan(0)
    await world.as('service_role', 'select private.delete_account($1)', [referrer.userId])
    await books.refund(tip)
    await books.tip(fan, creator)
    expect(await books.balance(referrer)).toBe(earned)
  })
})

describe('the numbers and the referrer', () => {
  it('are visible to the user and admins [RPC-03]', async () => {
    expect(await stats(await world.buildAdmin())).toMatchObject({ total_referrals: 0 })
    await expect(stats(fan)).rejects.toMatchObject(refused)
    await expect(world.as('anon', 'select public.get_referral_stats($1)', [referrer.profileId])).rejects.toMatchObject(
      refused,
    )
  })

  it('are visible to the referred user, and to no one else [REF-10, D31]', async () => {
    const joined = await join()
    const ask = 'select username, display_name from public.get_my_referrer()'
    expect(await world.as(joined, ask)).toEqual([{ username: referrer.username, display_name: 'Rea' }])
    expect(await world.as(referrer, ask)).toEqual([])
    await expect(world.as('anon', ask)).rejects.toMatchObject(refused)
  })
})
