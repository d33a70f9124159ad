import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

let world: DatabaseFixture
let person: Person
let stranger: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  stranger = await world.buildPerson()
})
afterAll(() => world.close())
beforeEach(async () => {
  person = await world.buildPerson()
})

const name = () => `n${randomUUID().slice(0, 12)}`
const rename = (who: Person, username: string) =>
  world.as(who, 'update public.profiles set username = $2 where id = $1 returning username', [who.profileId, username])
/** @returns the new username; the old one is `person.username`. */
async function renamed(who = person): Promise<string> {
  const username = name()
  await rename(who, username)
  return username
}
const presentOf = async (former: string, caller: Caller = 'anon') =>
  (await world.as(caller, 'select public.get_present_username($1) as username', [former]))[0]?.username
const isReserved = async (candidate: string, caller: Caller = 'anon') =>
  (await world.as(caller, 'select public.is_username_reserved($1) as reserved', [candidate]))[0]?.reserved
const age = (username: string, days: number) =>
  world.query(
    'update public.former_usernames set released_at = now() - make_interval(days => $2) where username = $1',
    [username, days],
  )
const kept = async (who = person) =>
  (
    await world.query('select username from public.former_usernames where profile_id = $1 order by released_at', [
      who.profileId,
    ])
  ).map(({ username }) => username)

const taken = {
  code: '23505',
  constraint: 'profiles_username_key',
  message: 'This username is already taken. Please choose another one.',
}

describe('a former username', () => {
  it('leads to the present one, in any case, from the first change on', async () => {
    const second = await renamed()
    const third = await renamed()
    for (const former of [person.username, second, person.username.toUpperCase()])
      expect(await presentOf(former)).toBe(third)
    expect(await presentOf(third)).toBeNull() // a profile has it
    expect(await presentOf(name())).toBeNull()
  })

  it('is kept by no other change of the profile, and by none that changes only its case', async () => {
    await world.as(person, `update public.profiles set display_name = 'Ada' where id = $1`, [person.profileId])
    await rename(person, person.username.toUpperCase())
    expect(await kept()).toEqual([])
  })

  it('is taken for everyone else, for a change and for a sign-up, which creates no account [AUTH-10]', async () => {
    await renamed()
    await expect(rename(stranger, person.username)).rejects.toMatchObject(taken)
    await expect(rename(stranger, ` ${person.username.toUpperCase()}`)).rejects.toMatchObject(taken)
    const email = `${name()}@example.com`
    await expect(world.buildPerson({ username: person.username, email })).rejects.toMatchObject(taken)
    expect(await world.query('select from auth.users where email = $1', [email])).toEqual([])
    expect([await isReserved(person.username), await isReserved(person.username, stranger)]).toEqual([true, true])
  })

  it("isn't suggested to users who didn't choose one [AUTH-11]", async () => {
    await renamed()
    const other = await world.buildPerson({ username: '', email: `${person.username}@elsewhere.example` })
    expect(other.username).toMatch(new RegExp(`^${person.username}-[0-9a-f]{6}$`))
  })

  it('can be taken back by its user, and the other name is kept then', async () => {
    const second = await renamed()
    expect(await isReserved(person.username, person)).toBe(false)
    await rename(person, person.username)
    expect(await kept()).toEqual([second])
    expect([await presentOf(second), await presentOf(person.username)]).toEqual([person.username, null])
  })

  it('leads nowhere and is available after 90 days, also before the job has deleted it', async () => {
    const second = await renamed()
    await age(person.username, 89)
    expect([await presentOf(person.username), await isReserved(person.username)]).toEqual([second, true])
    await age(person.username, 91)
    expect([await presentOf(person.username), await isReserved(person.username)]).toEqual([null, false])
    const next = await world.buildPerson({ username: person.username, email: `${name()}@example.com` })
    expect(await kept()).toEqual([])
    const last = await renamed(next)
    expect(await presentOf(person.username)).toBe(last)
  })

  it('is deleted by the job after 90 days', async () => {
    const second = await renamed()
    await renamed()
    await age(person.username, 91)
    await age(second, 89)
    await world.as('service_role', 'select private.forget_former_usernames()')
    expect(await kept()).toEqual([second])
  })

  it('is deleted with the account, whose names are available then [SET-14]', async () => {
    const second = await renamed()
    await world.as('service_role', 'select private.delete_account($1)', [person.userId])
    expect(await presentOf(person.username)).toBeNull()
    for (const username of [person.username, second])
      expect((await world.buildPerson({ username })).username).toBe(username)
  })

  it('is one of the last ten of its user, so that nobody reserves names without end', async () => {
    const names = [person.username]
    for (let change = 0; change < 12; change++) names.push(await renamed())
    expect(await kept()).toEqual(names.slice(2, 12))
    expect(await isReserved(person.username)).toBe(false)
  })

  it("doesn't go to a user who takes it at the same moment", async () => {
    const second = name()
    const changing = await world.begin(
      person,
      ['update public.profiles set username = $2 where id = $1'],
      [person.profileId, second],
    )
    const taking = rename(stranger, person.username).catch((error: unknown) => error)
    await expect
      .poll(() =>
        world.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
      )
      .toHaveLength(1)
    await changing.commit()
    expect(await taking).toMatchObject(taken)
    expect(await presentOf(person.username, stranger)).toBe(second)
  })
})

describe('who learns the present username', () => {
  it('hides it from others while the profile is private or its user suspended [PROF-22]', async () => {
    const present = await renamed()
    const admin = await world.buildAdmin()
    await world.as(person, 'update public.profiles set is_private = true where id = $1', [person.profileId])
    const seen = async () =>
      Promise.all((['anon', stranger, person, admin] as const).map((caller) => presentOf(person.username, caller)))
    expect(await seen()).toEqual([null, null, present, present])
    await world.as(person, 'update public.profiles set is_private = false where id = $1', [person.profileId])
    expect(await seen()).toEqual([present, present, present, present])
    await world.as(admin, `select public.suspend_user($1, 'Spam')`, [person.profileId])
    expect((await seen()).slice(0, 2)).toEqual([null, null])
    expect(await isReserved(person.username, stranger)).toBe(true)
  })

  it('hides it across a block, in both directions [D39]', async () => {
    const present = await renamed()
    const [blocker, blocked] = [await world.buildPerson(), await world.buildPerson()]
    const block = (from: Person, to: Person) =>
      world.as(from, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
        from.profileId,
        to.profileId,
      ])
    await block(blocker, person)
    await block(person, blocked)
    expect([await presentOf(person.username, blocker), await presentOf(person.username, blocked)]).toEqual([null, null])
    expect(await presentOf(person.username, stranger)).toBe(present)
  })

  it('shows the table to its user and to admins, and lets nobody write it', async () => {
    await renamed()
    const own = 'select username from public.former_usernames where profile_id = $1'
    const read = (caller: Caller) => world.as(caller, own, [person.profileId])
    expect([await read(person), await read(await world.buildAdmin()), await read(stranger)]).toEqual([
      [{ username: person.username }],
      [{ username: person.username }],
      [],
    ])
    await expect(read('anon')).rejects.toMatchObject(refused)
    for (const text of [
      `insert into public.former_usernames (username, profile_id) values ('wanted', '${person.profileId}')`,
      `update public.former_usernames set released_at = now()`,
      'delete from public.former_usernames',
    ])
      await expect(world.as(person, text)).rejects.toMatchObject(refused)
  })
})
