import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

let world: DatabaseFixture
let referrer: Person
let code: string
beforeAll(async () => {
  world = await openDatabaseFixture()
  referrer = await world.buildPerson()
  code = `REF${referrer.profileId.slice(0, 8).toUpperCase()}`
})
afterAll(() => world.close())

const read = 'select referrer_id, referral_code, status from public.referrals where referred_id = $1'

it('records the referrer from the code of the sign-up [AUTH-02, REF-14, REF-15, REF-16]', async () => {
  const joined = await world.buildPerson({ meta: { ref: code.toLowerCase() } })
  const expected = [{ referrer_id: referrer.profileId, referral_code: code, status: 'pending' }]
  for (const caller of [referrer, joined, await world.buildAdmin()])
    expect(await world.as(caller, read, [joined.profileId])).toEqual(expected)
  expect(await world.as(await world.buildPerson(), read, [joined.profileId])).toEqual([])
  await expect(world.as('anon', read, [joined.profileId])).rejects.toMatchObject(refused)
})

it('lets users join with an unknown code', async () => {
  const joined = await world.buildPerson({ meta: { ref: 'REFNOBODY' } })
  expect(await world.query(read, [joined.profileId])).toEqual([])
})

it('is completed when the user becomes an approved creator [REF-17]', async () => {
  const joined = await world.buildPerson({ meta: { ref: code } })
  await world.query('update private.profiles set is_verified = true where id = $1', [joined.profileId])
  expect(await world.query(read, [joined.profileId])).toMatchObject([{ status: 'completed' }])
})

it('counts only after the user has confirmed to be 18 or older [REF-23, AUTH-07]', async () => {
  const status = async ({ profileId }: Person) => (await world.query(read, [profileId])).map((row) => row.status)
  const joined = await world.buildPerson({ meta: { ref: code, terms_accepted: false } })
  await world.query('update private.profiles set is_verified = true where id = $1', [joined.profileId])
  expect(await status(joined)).toEqual(['pending'])
  await world.as(joined, 'select public.accept_terms()')
  expect(await status(joined)).toEqual(['completed'])

  const invitedLate = await world.buildPerson({ meta: { terms_accepted: false } })
  await world.query('update private.profiles set is_verified = true where id = $1', [invitedLate.profileId])
  await world.as(invitedLate, 'select public.accept_terms($1)', [code])
  expect(await status(invitedLate)).toEqual(['completed'])
})

it("can't be written by clients, and users can't refer themselves [REF-22]", async () => {
  const insert = `insert into public.referrals (referrer_id, referred_id, referral_code) values ($1, $1, 'x')`
  await expect(world.as(referrer, insert, [referrer.profileId])).rejects.toMatchObject(refused)
  await expect(world.query(insert, [referrer.profileId])).rejects.toMatchObject({ constraint: 'referrals_not_self' })
})
