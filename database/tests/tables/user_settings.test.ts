import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

let world: DatabaseFixture
let ada: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  ada = await world.buildPerson()
})
afterAll(() => world.close())

const settings = 'select notifications, privacy, security from public.user_settings'
const defaults = {
  notifications: {
    email: true,
    push: true,
    messages: true,
    tips: true,
    subscriptions: true,
    posts: true,
    digest: false,
    postEmails: 'daily',
  },
  privacy: {
    profileVisibility: 'public',
    showOnlineStatus: true,
    allowDirectMessages: true,
    allowSearchEngines: true,
  },
  security: { twoFactorEnabled: false, loginAlerts: true },
}
const change = (person: Person, group: string, value: unknown) =>
  world.as(person, `update public.user_settings set ${group} = $1 returning user_id`, [JSON.stringify(value)])

describe('settings', () => {
  it('are created with the account, with defaults [DATA-35, D38, SET-23]', async () => {
    expect(await world.as(await world.buildPerson(), settings)).toEqual([defaults])
  })

  it('are visible only to their user, not to admins [SET-15, GEN-35]', async () => {
    const [stranger, admin] = [await world.buildPerson(), await world.buildAdmin()]
    for (const caller of [stranger, admin]) {
      expect(await world.as(caller, 'select from public.user_settings where user_id = $1', [ada.profileId])).toEqual([])
      expect(
        await world.as(caller, `update public.user_settings set privacy = '{}' where user_id = $1 returning user_id`, [
          ada.profileId,
        ]),
      ).toEqual([])
    }
    await expect(world.as('anon', settings)).rejects.toMatchObject(refused)
    await expect(world.as(ada, 'delete from public.user_settings')).rejects.toMatchObject(refused)
    await expect(
      world.as(ada, 'insert into public.user_settings (user_id) values ($1)', [stranger.profileId]),
    ).rejects.toMatchObject(refused)
    await expect(
      world.as('service_role', 'insert into public.user_settings (user_id) values (gen_random_uuid())'),
    ).rejects.toMatchObject(refused)
  })

  it("change in part or in full, and keep what isn't named [SET-15, SET-17]", async () => {
    const person = await world.buildPerson()
    await change(person, 'notifications', { tips: false })
    await change(person, 'security', { ...defaults.security, loginAlerts: false })
    expect(await world.as(person, settings)).toEqual([
      {
        ...defaults,
        notifications: { ...defaults.notifications, tips: false },
        security: { twoFactorEnabled: false, loginAlerts: false },
      },
    ])
  })

  it.each([
    ['notifications', { sms: true }, 'Unknown setting notifications.sms'],
    ['notifications', { email: 'yes' }, 'notifications.email must be true or false'],
    ['notifications', { email: null }, 'notifications.email must be true or false'],
    ['notifications', { postEmails: true }, 'notifications.postEmails must be immediately, daily, or none'],
    ['notifications', { postEmails: null }, 'notifications.postEmails must be immediately, daily, or none'],
    ['privacy', { profileVisibility: 'friends' }, 'privacy.profileVisibility must be public or private'],
    ['privacy', { allowSearchEngines: 'no' }, 'privacy.allowSearchEngines must be true or false'],
    ['security', ['loginAlerts'], 'security must be an object'],
  ])('reject %s = %j', async (group, value, message) => {
    await expect(change(ada, group, value)).rejects.toMatchObject({ code: '22023', message })
    expect(await world.as(ada, settings)).toEqual([defaults])
  })

  it("stop emails and push notifications about new posts, or set the emails' pace [LOOP-02]", async () => {
    const person = await world.buildPerson()
    await world.as(person, 'select public.save_push_subscription($1, $2, $3)', [
      'https://push.example/1',
      'k'.repeat(60),
      'a'.repeat(16),
    ])
    const pace = async () =>
      (
        await world.query(
          `select private.post_emails_of(s) as emails,
             exists (select from private.wants_posts(array[s.user_id], 'push')) as pushes
           from private.user_settings s where s.user_id = $1`,
          [person.profileId],
        )
      )[0]
    expect(await pace()).toEqual({ emails: 'daily', pushes: true })
    await change(person, 'notifications', { postEmails: 'immediately' })
    expect(await pace()).toEqual({ emails: 'immediately', pushes: true })
    await change(person, 'notifications', { digest: true })
    expect(await pace()).toEqual({ emails: 'daily', pushes: true })
    await change(person, 'notifications', { digest: false, postEmails: 'none' })
    expect(await pace()).toEqual({ emails: 'none', pushes: true })
    await change(person, 'notifications', { postEmails: 'daily', posts: false })
    expect(await pace()).toEqual({ emails: 'none', pushes: false })
    await change(person, 'notifications', { posts: true, email: false })
    expect(await pace()).toEqual({ emails: 'none', pushes: true })
  })

  it("keep the user's time zone, but no unknown one [LOOP-02]", async () => {
    const person = await world.buildPerson()
    const report = (caller: Person | 'anon', zone: string | null) =>
      world.as(caller, 'select public.report_time_zone($1)', [zone])
    const stored = async () =>
      (await world.query('select time_zone from private.user_settings where user_id = $1', [person.profileId]))[0]
    expect(await stored()).toEqual({ time_zone: 'UTC' })
    await report(person, 'Asia/Tokyo')
    for (const zone of ['Jupiter/Red_Spot', 'asia/tokyo', 'EST5EDT4', '', null]) await report(person, zone)
    expect(await stored()).toEqual({ time_zone: 'Asia/Tokyo' })
    await expect(report('anon', 'Asia/Tokyo')).rejects.toMatchObject(refused)
  })

  it('agree with the profile about is_private, whichever API changes it [SET-18, API-REST-05]', async () => {
    const person = await world.buildPerson()
    await change(person, 'privacy', { profileVisibility: 'private' })
    expect(await world.query('select is_private from private.profiles where id = $1', [person.profileId])).toEqual([
      { is_private: true },
    ])
    await world.as(person, 'update public.profiles set is_private = false where id = $1', [person.profileId])
    expect((await world.as(person, settings))[0]?.privacy).toEqual(defaults.privacy)
  })

  it('keep a profile out of search engines, which everyone may know, and nothing else changes [FIND-02]', async () => {
    const person = await world.buildCreator()
    const seen = async () =>
      (
        await world.as('anon', 'select is_indexed, is_listed, is_private from public.profiles where id = $1', [
          person.profileId,
        ])
      )[0]
    expect(await seen()).toEqual({ is_indexed: true, is_listed: true, is_private: false })
    await change(person, 'privacy', { allowSearchEngines: false })
    expect(await seen()).toEqual({ is_indexed: false, is_listed: true, is_private: false })
    expect((await world.as(person, settings))[0]?.privacy).toEqual({ ...defaults.privacy, allowSearchEngines: false })
    await change(person, 'privacy', { profileVisibility: 'private' })
    expect(await seen()).toEqual({ is_indexed: false, is_listed: false, is_private: true })
    await change(person, 'privacy', { profileVisibility: 'public', allowSearchEngines: true })
    expect(await seen()).toEqual({ is_indexed: true, is_listed: true, is_private: false })
  })

  it("can't turn off two-factor: a stolen session must not do so [SET-21]", async () => {
    await expect(change(ada, 'security', { twoFactorEnabled: true })).rejects.toMatchObject(refused)
    await world.as(
      'service_role',
      `update public.user_settings set security = '{"twoFactorEnabled": true}' where user_id = $1`,
      [ada.profileId],
    )
    await expect(change(ada, 'security', { twoFactorEnabled: false })).rejects.toMatchObject(refused)
    await change(ada, 'security', { twoFactorEnabled: true, loginAlerts: true }) // what stands may be sent back
    await world.query('update private.user_settings set two_factor_enabled = false where user_id = $1', [ada.profileId])
  })
})

describe('private.wants', () => {
  it('is false for a channel or a kind that is off, and without a user [SET-16, SET-17, SET-22]', async () => {
    const person = await world.buildPerson()
    const wants = async (channel: string, kind: string, profile = person.profileId) =>
      (await world.query('select private.wants($1, $2, $3) as answer', [profile, channel, kind]))[0]?.answer
    expect(await wants('email', 'tips')).toBe(true)
    expect(await wants('push', 'announcement')).toBe(true)
    expect(await wants('pigeon', 'tips')).toBe(false)
    expect(await wants('email', 'tips', '00000000-0000-0000-0000-000000000000')).toBe(false)
    await change(person, 'notifications', { tips: false, push: false })
    expect([await wants('email', 'tips'), await wants('email', 'messages'), await wants('push', 'messages')]).toEqual([
      false,
      true,
      false,
    ])
    await change(person, 'security', { loginAlerts: false })
    expect(await wants('email', 'login_alerts')).toBe(false)
  })
})

describe('online status', () => {
  const lastSeen = async (caller: Person | 'anon', of: Person) =>
    (await world.as(caller, 'select last_seen_at from public.profiles where id = $1', [of.profileId]))[0]?.last_seen_at

  it('is visible to everyone until it is turned off, then only to the user [SET-19, D9]', async () => {
    const person = await world.buildPerson()
    expect(await lastSeen('anon', person)).toBeNull()
    await world.as(person, 'select public.record_presence()')
    expect(await lastSeen('anon', person)).toBeInstanceOf(Date)
    await change(person, 'privacy', { showOnlineStatus: false })
    expect(await lastSeen('anon', person)).toBeNull()
    expect(await lastSeen(await world.buildPerson(), person)).toBeNull()
    expect(await lastSeen(person, person)).toBeInstanceOf(Date)
  })

  it('is hidden by a private profile and across a block [PROF-22]', async () => {
    const [person, other] = [await world.buildPerson(), await world.buildPerson()]
    await world.as(person, 'select public.record_presence()')
    await world.as(person, 'insert into public.blocks (blocker_id, blocked_id) values ($1, $2)', [
      person.profileId,
      other.profileId,
    ])
    expect(await lastSeen(other, person)).toBeNull()
    await change(person, 'privacy', { profileVisibility: 'private' })
    expect(await lastSeen('anon', person)).toBeNull()
  })

  it('is not recorded for visitors', async () => {
    await expect(world.as('anon', 'select public.record_presence()')).rejects.toMatchObject(refused)
  })
})
