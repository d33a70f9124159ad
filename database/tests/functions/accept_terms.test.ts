import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DatabaseFixture, openDatabaseFixture, type Person } from '../database-fixture.ts'

let world: DatabaseFixture
let referrer: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  referrer = await world.buildPerson()
})
afterAll(() => world.close())

/** As another service brings people: no box was ticked on the way. */
async function buildNewcomer(): Promise<Person> {
  const person = await world.buildPerson()
  await world.query('update private.profiles set terms_accepted_at = null where id = $1', [person.profileId])
  return person
}
const accept = async (person: Person, code: string | null = null) =>
  (await world.as(person, 'select public.accept_terms($1) as at', [code]))[0]?.at
const invitationsOf = (person: Person) =>
  world.query('select referrer_id, status from public.referrals where referred_id = $1', [person.profileId])
const codeOf = ({ profileId }: Person) => `REF${profileId.slice(0, 8).toUpperCase()}`

it('stores the time of the consent and the referrer, once [AUTH-02, AUTH-07, REF-16]', async () => {
  const newcomer = await buildNewcomer()
  const at = await accept(newcomer, ` ${codeOf(referrer).toLowerCase()} `)
  expect(at).toBeInstanceOf(Date)
  expect(await invitationsOf(newcomer)).toEqual([{ referrer_id: referrer.profileId, status: 'pending' }])
  expect(await accept(newcomer)).toEqual(at)
})

it('ignores a referral after the consent, by the user themselves, and with an unknown code [REF-16, REF-22]', async () => {
  const settled = await buildNewcomer()
  await accept(settled)
  await accept(settled, codeOf(referrer))
  const vain = await buildNewcomer()
  await accept(vain, codeOf(vain))
  const mistaken = await buildNewcomer()
  await accept(mistaken, 'REF00000000')
  for (const person of [settled, vain, mistaken]) expect(await invitationsOf(person)).toEqual([])
})
