import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

let world: DatabaseFixture
let admin: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  admin = await world.buildAdmin()
})
afterAll(() => world.close())

describe('get_users_with_emails', () => {
  it('returns email, posts, and earnings for each profile, newest first, only for admins [RPC-04, ADM-16, API-STO-04]', async () => {
    const creator = await world.buildCreator()
    const fan = await world.buildPerson()
    await world.buildPost(creator)
    await world.pay(fan, creator)
    const rows = await world.as(admin, 'select * from public.get_users_with_emails()')
    const [{ updated_at } = {}] = await world.query('select updated_at from private.profiles where id = $1', [
      fan.profileId,
    ])
    expect(rows[0]).toMatchObject({ id: fan.profileId, email: `${fan.username}@example.com`, role: 'user', updated_at })
    expect(rows[1]).toMatchObject({ id: creator.profileId, total_posts: 1, total_earnings: '899', is_verified: true })
    expect(rows.at(-1)).toMatchObject({ user_id: admin.userId, role: 'admin' })
    for (const call of ['get_users_with_emails', 'count_users']) {
      for (const caller of [fan, creator, 'anon'] as const) {
        await expect(world.as(caller, `select from public.${call}()`)).rejects.toMatchObject(refused)
      }
    }
  })

  it('searches username, display name, and email, ignoring case and without wildcards [ADM-04, ADM-16]', async () => {
    const person = await world.buildPerson({
      username: 'quentin',
      email: 'zeno_99@example.com',
      meta: { display_name: 'Ärla 100%' },
    })
    const find = async (search: string) =>
      (await world.as(admin, 'select id from public.get_users_with_emails($1)', [search])).map(({ id }) => id)
    for (const search of ['QUENT', 'ärla', 'Zeno_99', '100%']) expect(await find(search)).toEqual([person.profileId])
    expect(await find('zeno%99')).toEqual([])
    expect(
      await world.as(admin, `select public.count_users('zeno') as n, public.count_users('nobody-at-all') as none`),
    ).toEqual([{ n: '1', none: '0' }])
  })

  it('continues after the last row of a page [ADM-16]', async () => {
    const all = await world.as(admin, 'select id, created_at::text as at from public.get_users_with_emails()')
    expect(await world.as(admin, 'select public.count_users()::int as n')).toEqual([{ n: all.length }])
    const rest = await world.as(
      admin,
      'select id from public.get_users_with_emails(page_size => 100, before => $1, before_id => $2)',
      [all[0]?.at, all[0]?.id],
    )
    expect(rest.map(({ id }) => id)).toEqual(all.slice(1).map(({ id }) => id))
  })
})

describe('get_unread_counts', () => {
  it("counts the caller's unread notifications and messages [GEN-21, GEN-22]", async () => {
    const [ada, bob] = [await world.buildPerson(), await world.buildPerson()]
    const counts = (caller: Person) => world.as(caller, 'select * from public.get_unread_counts()')
    expect(await counts(bob)).toEqual([{ notifications: 0, messages: 0 }])
    for (let n = 0; n < 3; n++) {
      await world.as(ada, `insert into public.messages (sender_id, recipient_id, content) values ($1, $2, 'hi')`, [
        ada.profileId,
        bob.profileId,
      ])
    }
    expect(await counts(bob)).toEqual([{ notifications: 1, messages: 3 }])
    expect(await counts(ada)).toEqual([{ notifications: 0, messages: 0 }])
    await expect(world.as('anon', 'select public.get_unread_counts()')).rejects.toMatchObject(refused)
  })
})

describe('get_suspension', () => {
  it('returns since when and why a user is suspended, only to admins [GEN-44]', async () => {
    const [person, other] = [await world.buildPerson(), await world.buildPerson()]
    const asked = (caller: Person, about: Person) =>
      world.as(caller, 'select * from public.get_suspension($1)', [about.profileId])
    expect(await asked(admin, person)).toEqual([])
    await world.as(admin, `select public.suspend_user($1, 'Sells what is not theirs')`, [person.profileId])
    expect(await asked(admin, person)).toEqual([{ since: expect.any(Date), reason: 'Sells what is not theirs' }])
    expect(await asked(admin, other)).toEqual([])
    for (const caller of [person, other]) await expect(asked(caller, person)).rejects.toMatchObject(refused)
  })
})

describe('a suspended user', () => {
  it('with a valid token is neither online nor counted as a viewer [GEN-05]', async () => {
    const [person, other] = [await world.buildPerson(), await world.buildPerson()]
    const looks = async () => {
      await world.as(person, 'select public.record_presence()')
      await world.as(person, 'select public.record_profile_view($1)', [other.profileId])
      const [row] = await world.query(
        `select (select count(*)::int from private.presence where profile_id = $1) as present,
           (select count(*)::int from public.profile_views where viewer_id = $1) as views`,
        [person.profileId],
      )
      return row
    }
    await world.as(admin, `select public.suspend_user($1, 'Spam')`, [person.profileId])
    expect(await looks()).toEqual({ present: 0, views: 0 })
    await world.as(admin, 'select public.reinstate_user($1)', [person.profileId])
    expect(await looks()).toEqual({ present: 1, views: 1 })
  })
})
