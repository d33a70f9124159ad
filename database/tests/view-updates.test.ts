import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Caller,
  type Creator,
  type DatabaseFixture,
  openDatabaseFixture,
  type Person,
  refused,
} from './database-fixture.ts'

/** Profiles, posts, messages, and settings are views: a trigger carries an update to the tables below. */
let world: DatabaseFixture
let creator: Creator
let admin: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  creator = await world.buildCreator()
  admin = await world.buildAdmin()
})
afterAll(() => world.close())

describe('an update during another update', () => {
  const waiting = async () =>
    (
      await world.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`,
      )
    ).length

  /** Does `first`, and commits it only when `second` waits for its row: `second` saw the row as it was before. */
  async function meet(first: readonly [Caller, string], second: readonly [Caller, string]) {
    const holder = await world.begin(first[0], [first[1]])
    const late = world.as(second[0], second[1])
    await expect.poll(waiting).toBe(1)
    await holder.commit()
    await late
  }

  it('keeps an approval when the applicant edits their profile [ADM-06, EXPL-02, GEN-03]', async () => {
    const person = await world.buildPerson()
    await world.query(
      `insert into public.creator_applications (user_id, full_name, address, full_ssn, id_front_url, id_back_url)
       values ($1, 'Ada', 'A street', '900-11-2222', $2, $3)`,
      [person.userId, await world.buildFile(person, 'verification'), await world.buildFile(person, 'verification')],
    )
    await meet(
      [admin, `update public.creator_applications set status = 'approved' where user_id = '${person.userId}'`],
      [person, `update public.profiles set bio = 'Landscapes' where id = '${person.profileId}'`],
    )
    expect(
      await world.query('select bio, is_creator, is_verified, is_listed from private.profiles where id = $1', [
        person.profileId,
      ]),
    ).toEqual([{ bio: 'Landscapes', is_creator: true, is_verified: true, is_listed: true }])
  })

  it('keeps the columns of a profile that the other update changed [API-REST-04, API-REST-05]', async () => {
    const person = await world.buildPerson()
    await meet(
      [person, `update public.profiles set display_name = 'Ada Lovelace' where id = '${person.profileId}'`],
      [person, `update public.profiles set categories = '{Art}' where id = '${person.profileId}'`],
    )
    expect(
      await world.query('select display_name, categories from private.profiles where id = $1', [person.profileId]),
    ).toEqual([{ display_name: 'Ada Lovelace', categories: ['Art'] }])
  })

  it('keeps the columns of a post that the other update changed [GEN-41, POST-13]', async () => {
    const { id } = await world.buildPost(creator)
    await meet(
      [creator, `update public.posts set title = 'Fog' where id = '${id}'`],
      [creator, `update public.posts set is_pinned = true where id = '${id}'`],
    )
    await meet(
      [admin, `update public.posts set admin_note = 'Disputed', admin_note_is_public = true where id = '${id}'`],
      ['service_role', `update public.posts set content = 'Thick fog' where id = '${id}'`],
    )
    expect(
      await world.query(
        'select title, content, is_pinned, admin_note, admin_note_is_public from private.posts where id = $1',
        [id],
      ),
    ).toEqual([
      { title: 'Fog', content: 'Thick fog', is_pinned: true, admin_note: 'Disputed', admin_note_is_public: true },
    ])
  })

  it('keeps the settings that another device changed [SET-15, DATA-35]', async () => {
    const { profileId, ...rest } = await world.buildPerson()
    const person = { profileId, ...rest }
    const change = (group: string, value: object) =>
      [
        person,
        `update public.user_settings set ${group} = '${JSON.stringify(value)}' where user_id = '${profileId}'`,
      ] as const
    await meet(change('notifications', { tips: false }), change('notifications', { messages: false }))
    await meet(
      change('privacy', { profileVisibility: 'private', allowDirectMessages: false }),
      change('security', { loginAlerts: false }),
    )
    const [settings] = await world.as(person, 'select notifications, privacy, security from public.user_settings')
    expect(settings).toMatchObject({
      notifications: { tips: false, messages: false, email: true },
      privacy: { profileVisibility: 'private', allowDirectMessages: false, showOnlineStatus: true },
      security: { loginAlerts: false },
    })
  })
})

describe("a column that can't be changed", () => {
  it('is rejected by name, also for the server and admins [GEN-41, API-REST-05, API-REST-08, DATA-35]', async () => {
    const fan = await world.buildPerson()
    const post = await world.buildPost(creator, { type: 'ppv', price: 500 })
    const [message] = await world.as(
      creator,
      'insert into public.messages (sender_id, recipient_id, content) values ($1, $2, $3) returning id',
      [creator.profileId, fan.profileId, 'Hello'],
    )
    const attempts: [Caller, string, string, string, unknown][] = [
      ['service_role', 'posts', 'ppv_price', `${post.id}`, 900],
      ['service_role', 'posts', 'creator_id', `${post.id}`, fan.profileId],
      [admin, 'posts', 'title', `${post.id}`, 'Mine'],
      ['service_role', 'profiles', 'is_verified', fan.profileId, true],
      ['service_role', 'profiles', 'role', fan.profileId, 'admin'],
      ['service_role', 'profiles', 'is_listed', fan.profileId, true],
      ['service_role', 'profiles', 'is_indexed', fan.profileId, false],
      [admin, 'profiles', 'bio', fan.profileId, 'Mine'],
      ['service_role', 'messages', 'content', `${message?.id}`, 'Bye'],
      ['service_role', 'messages', 'price', `${message?.id}`, 100],
    ]
    for (const [caller, view, column, id, value] of attempts)
      await expect(
        world.as(caller, `update public.${view} set ${column} = $2 where id = $1`, [id, value]),
        `${view}.${column}`,
      ).rejects.toMatchObject({
        ...refused,
        message: `permission denied to update ${column} of ${view}`,
        hint: expect.stringMatching(/^You can update /),
      })
    await expect(
      world.as('service_role', 'update public.user_settings set updated_at = now() where user_id = $1', [
        fan.profileId,
      ]),
    ).rejects.toMatchObject({ message: 'permission denied to update updated_at of user_settings' })
    expect(await world.query('select ppv_price from private.posts where id = $1', [post.id])).toEqual([
      { ppv_price: 500 },
    ])
  })

  it('is accepted with its current value, because clients send back what they read [API-REST-05]', async () => {
    const person = await world.buildPerson()
    expect(
      await world.as(
        'service_role',
        'update public.profiles set is_verified = is_verified, created_at = created_at, bio = $2 where id = $1 returning bio',
        [person.profileId, 'Kept'],
      ),
    ).toEqual([{ bio: 'Kept' }])
  })

  it("reveals nothing about rows that the caller can't change [GEN-35]", async () => {
    const stranger = await world.buildPerson()
    expect(
      await world.as(stranger, `update public.profiles set bio = 'Mine' where id = $1 returning id`, [
        creator.profileId,
      ]),
    ).toEqual([])
  })
})
