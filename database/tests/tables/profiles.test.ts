import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DatabaseFixture, openDatabaseFixture, type Person, refused } from '../database-fixture.ts'

let world: DatabaseFixture
let ada: Person
let stranger: Person
let admin: Person
beforeAll(async () => {
  world = await openDatabaseFixture()
  ada = await world.buildPerson({ meta: { terms_accepted: true, display_name: ' Ada ' } })
  stranger = await world.buildPerson()
  admin = await world.buildAdmin()
  await world.query(
    `update private.profiles set bio = 'About me', website_url = 'https://ada.example', total_earnings = 1250, stripe_account_id = 'acct_ada' where id = $1`,
    [ada.profileId],
  )
})
afterAll(() => world.close())

const adasRow = `select * from public.profiles where id = $1`

describe('a profile comes with the account', () => {
  it('gets username, display name, and consent from the sign-up [AUTH-07, AUTH-09, DATA-05]', async () => {
    const person = await world.buildPerson({
      username: ' Grace Hopper ',
      meta: { display_name: 'Grace', is_creator: true, terms_accepted: true },
    })
    const [row] = await world.as(person, adasRow, [person.profileId])
    expect(row).toMatchObject({
      username: 'gracehopper',
      display_name: 'Grace',
      is_creator: true,
      is_verified: false,
      role: 'user',
    })
    expect(row?.terms_accepted_at).toBeInstanceOf(Date)
  })

  it('rejects a taken username regardless of case, and creates no account [AUTH-10]', async () => {
    await world.buildPerson({ username: 'taken' })
    const attempt = world.buildPerson({ username: 'TAKEN', email: 'second@example.com' })
    await expect(attempt).rejects.toMatchObject({
      code: '23505',
      constraint: 'profiles_username_key',
      message: 'This username is already taken. Please choose another one.',
    })
    expect(await world.query(`select from auth.users where email = 'second@example.com'`)).toEqual([])
  })

  it.each(['ab', 'a'.repeat(31), 'a.b.c', 'ümlaut', 'semi;colon'])(
    'rejects the username %s [AUTH-09]',
    async (username) => {
      await expect(world.buildPerson({ username })).rejects.toMatchObject({
        code: '23514',
        constraint: 'profiles_username_format',
      })
    },
  )

  it("finds an available username for users who didn't choose one [AUTH-11]", async () => {
    const names: string[] = []
    for (const domain of ['a', 'b', 'c']) {
      names.push((await world.buildPerson({ username: '', email: `Jane.Doe@${domain}.example` })).username)
    }
    names.push((await world.buildPerson({ username: '', email: '!@x.example' })).username)
    expect(names[0]).toBe('janedoe')
    expect(new Set(names).size).toBe(4)
    for (const name of names) expect(name).toMatch(/^[a-z0-9_-]{3,30}$/)
  })

  it('is deleted with the account', async () => {
    const person = await world.buildPerson()
    await world.query('delete from auth.users where id = $1', [person.userId])
    expect(await world.query('select from private.profiles where id = $1', [person.profileId])).toEqual([])
  })
})

describe('reading a profile', () => {
  it.each(['anon', 'stranger'] as const)(
    'shows %s the public columns, not the payment columns [DATA-03, D35]',
    async (name) => {
      const [row] = await world.as(name === 'anon' ? 'anon' : stranger, adasRow, [ada.profileId])
      expect(row).toMatchObject({
        username: ada.username,
        bio: 'About me',
        total_earnings: null,
        terms_accepted_at: null,
        stripe_account_id: null,
        stripe_onboarding_completed: null,
        stripe_charges_enabled: null,
        stripe_payouts_enabled: null,
      })
    },
  )

  it('shows the owner, admins, and the server all columns', async () => {
    for (const caller of [ada, admin, 'service_role'] as const) {
      const [row] = await world.as(caller, adasRow, [ada.profileId])
      expect(row).toMatchObject({
        total_earnings: '1250',
        stripe_account_id: 'acct_ada',
        stripe_charges_enabled: false,
      })
    }
  })

  it("doesn't match filters on hidden columns [DATA-03]", async () => {
    const found = await world.as(
      stranger,
      `select id from public.profiles where stripe_account_id = 'acct_ada' or total_earnings > 0`,
    )
    expect(found).toEqual([])
  })

  it('hides a private profile from others and from their filters [PROF-22, SET-18]', async () => {
    const hidden = await world.buildPerson()
    await world.as(
      hidden,
      `update public.profiles set is_private = true, bio = 'hush', website_url = 'https://h.example', categories = '{Art}'`,
    )
    for (const caller of ['anon', stranger] as const) {
      const [row] = await world.as(caller, adasRow, [hidden.profileId])
      expect(row).toMatchObject({
        username: hidden.username,
        is_private: true,
        bio: null,
        website_url: null,
        cover_url: null,
        categories: [],
      })
      expect(await world.as(caller, `select id from public.profiles where bio = 'hush'`)).toEqual([])
    }
    for (const caller of [hidden, admin]) {
      expect(await world.as(caller, `select id from public.profiles where bio = 'hush'`)).toEqual([
        { id: hidden.profileId },
      ])
    }
  })

  it('takes the role from user_roles [DATA-04]', async () => {
    expect(await world.as('anon', 'select role from public.profiles where id = $1', [admin.profileId])).toEqual([
      { role: 'admin' },
    ])
  })
})

describe('updating a profile', () => {
  it('lets the owner edit, trims texts, and stores an empty text as null [PROF-08, API-REST-03, API-REST-05]', async () => {
    const person = await world.buildPerson()
    const rows = await world.as(
      person,
      `update public.profiles set username = ' New-Name_1 ', display_name = ' N ', bio = '  ', website_url = '', categories = '{Art,Travel}', tiered_access = true
       where id = $1 returning username, display_name, bio, website_url, categories, tiered_access`,
      [person.profileId],
    )
    expect(rows).toEqual([
      {
        username: 'new-name_1',
        display_name: 'N',
        bio: null,
        website_url: null,
        categories: ['Art', 'Travel'],
        tiered_access: true,
      },
    ])
  })

  it('rejects a taken username with the message of the sign-up [AUTH-10, SET-12]', async () => {
    const attempt = world.as(stranger, 'update public.profiles set username = $2 where id = $1', [
      stranger.profileId,
      ada.username.toUpperCase(),
    ])
    await expect(attempt).rejects.toMatchObject({
      code: '23505',
      message: 'This username is already taken. Please choose another one.',
    })
  })

  it.each([
    ['is_verified = true'],
    ['total_earnings = 1000'],
    ['followers_count = 1000'],
    [`stripe_account_id = 'acct_x'`],
    ['stripe_charges_enabled = true'],
    ['terms_accepted_at = now()'],
    [`user_id = gen_random_uuid()`],
  ])('rejects the owner: %s [GEN-35]', async (change) => {
    await expect(
      world.as(ada, `update public.profiles set ${change} where id = $1`, [ada.profileId]),
    ).rejects.toMatchObject(refused)
  })

  it(`changes nothing in another user's profile [GEN-35]`, async () => {
    const rows = await world.as(stranger, `update public.profiles set bio = 'mine now' where id = $1 returning id`, [
      ada.profileId,
    ])
    expect(rows).toEqual([])
    expect(await world.query('select bio from private.profiles where id = $1', [ada.profileId])).toEqual([
      { bio: 'About me' },
    ])
  })

  it('refuses visitors', async () => {
    await expect(world.as('anon', `update public.profiles set bio = 'x'`)).rejects.toMatchObject(refused)
    await expect(world.as('anon', 'delete from public.profiles')).rejects.toMatchObject(refused)
  })

  it('lets an admin change only the creator flag of others [API-REST-08]', async () => {
    const person = await world.buildPerson()
    const set = (columns: string) =>
      world.as(admin, `update public.profiles set ${columns} where id = $1`, [person.profileId])
    await expect(set(`is_creator = true, bio = 'by admin'`)).rejects.toMatchObject(refused)
    await set('is_creator = true')
    expect(await world.query('select is_creator, bio from private.profiles where id = $1', [person.profileId])).toEqual(
      [{ is_creator: true, bio: null }],
    )
  })

  it.each([
    [`website_url = 'javascript:alert(1)'`],
    [`categories = '{Art,Travel,Fitness,Fashion}'`],
    [`categories = '{Gambling}'`],
    [`display_name = repeat('x', 51)`],
    [`bio = repeat('x', 1001)`],
  ])('refuses %s [GEN-10, D36]', async (change) => {
    await expect(
      world.as(ada, `update public.profiles set ${change} where id = $1`, [ada.profileId]),
    ).rejects.toMatchObject({ code: '23514' })
  })

  it('sets updated_at for public columns, not for counters [API-STO-04]', async () => {
    const person = await world.buildPerson()
    const changedAt = async () =>
      (await world.query('select updated_at::text as at from private.profiles where id = $1', [person.profileId]))[0]
        ?.at
    const before = await changedAt()
    await world.query('insert into public.follows (follower_id, following_id) values ($1, $2)', [
      ada.profileId,
      person.profileId,
    ])
    expect(await changedAt()).toBe(before)
    await world.as(person, `update public.profiles set avatar_url = 'https://x.example/new.png' where id = $1`, [
      person.profileId,
    ])
    expect(await changedAt()).not.toBe(before)
  })

  it('rejects a second profile and a profile for someone else [API-REST-02]', async () => {
    await expect(
      world.as(ada, `insert into public.profiles (user_id, username) values ($1, 'second')`, [ada.userId]),
    ).rejects.toMatchObject({
      code: '23505',
    })
    await expect(
      world.as(ada, `insert into public.profiles (user_id, username) values ($1, 'for-other')`, [stranger.userId]),
    ).rejects.toMatchObject(refused)
  })
})
