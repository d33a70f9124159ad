import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../testing/gateway.ts'
import { recordMethods } from '../testing/record-methods.ts'

const methods = recordMethods()

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway({ env: { ADMIN_EMAIL: 'Boss@example.com' } })
})
afterAll(() => gateway.close())

const countUsers = async () => (await gateway.query<{ n: number }>('select count(*)::int as n from auth.users'))[0]?.n

async function refusal(credentials: { email: string; password: string; data?: Record<string, unknown> }) {
  const before = await countUsers()
  const { email, password, data = {} } = credentials
  const answer = await gateway.client().auth.signUp({ email, password, options: { data } })
  expect(await countUsers()).toBe(before) // a failed sign-up leaves no row
  expect(answer.data).toEqual({ user: null, session: null })
  return answer.error
}

describe('sign-up without SMTP', () => {
  it('creates account, identity, profile, and session together, and sends nothing [AUTH-17] [API-AUTH-01] [AUTH-09] [DATA-05]', async () => {
    const { data, error } = await gateway.client().auth.signUp({
      email: ' Ada@Example.com ',
      password: 'correct horse',
      options: { data: { username: ' Ada Love', display_name: 'Ada', is_creator: true, terms_accepted: true } },
    })
    expect(error).toBeNull()
    expect(data.session?.user).toEqual(data.user)
    expect(data.user).toMatchObject({
      aud: 'authenticated',
      role: 'authenticated',
      email: 'ada@example.com',
      phone: '',
      email_confirmed_at: expect.any(String),
      confirmed_at: expect.any(String),
      last_sign_in_at: expect.any(String),
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { username: 'adalove', display_name: 'Ada', is_creator: true, terms_accepted: true },
      is_anonymous: false,
      identities: [
        {
          id: data.user?.id,
          user_id: data.user?.id,
          provider: 'email',
          email: 'ada@example.com',
          identity_data: { sub: data.user?.id, email: 'ada@example.com', email_verified: true },
        },
      ],
    })
    const [profile] = await gateway.query(
      'select username, display_name, is_creator, terms_accepted_at from private.profiles where user_id = $1',
      [data.user?.id],
    )
    expect(profile).toEqual({
      username: 'adalove',
      display_name: 'Ada',
      is_creator: true,
      terms_accepted_at: expect.any(Date),
    })
    expect(existsSync(join(gateway.dataDir, 'outbox'))).toBe(false)
    const audit = await gateway.query(`select payload ->> 'action' as action from auth.audit_log_entries`)
    expect(audit).toEqual([{ action: 'user_signedup' }])
  })

  it('stores the password as argon2id and nowhere else', async () => {
    const { userId } = await gateway.signUp({ password: 'tell nobody about me' })
    const [row] = await gateway.query<{ hash: string; all: string }>(
      `select encrypted_password as hash, (to_jsonb(u) || jsonb_build_object('audit', (select jsonb_agg(to_jsonb(a)) from auth.audit_log_entries a)))::text as all
       from auth.users u where id = $1`,
      [userId],
    )
    expect(row?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(row?.all).not.toContain('tell nobody')
  })

  it('lowercases a username, strips its whitespace, and rejects other characters [AUTH-09]', async () => {
    const { userId } = await gateway.signUp({ username: ' Ada Lo-ve_9 ', email: 'ada.nine@example.com' })
    const [profile] = await gateway.query('select username from private.profiles where user_id = $1', [userId])
    expect(profile).toEqual({ username: 'adalo-ve_9' })
    for (const username of ['ada.love', 'ädä', 'ada!'])
      expect(await refusal({ email: 'x@example.com', password: 'correct horse', data: { username } })).toMatchObject({
        status: 422,
      })
  })

  it('needs no username: it derives a free one from the address [AUTH-11]', async () => {
    const { data } = await gateway.client().auth.signUp({ email: 'no.name@example.com', password: 'correct horse' })
    const [profile] = await gateway.query('select username from private.profiles where user_id = $1', [data.user?.id])
    expect(profile).toEqual({ username: 'noname' })
  })

  it('rejects a taken username, also in another case, with a readable message [AUTH-10]', async () => {
    await gateway.signUp({ username: 'taken-name' })
    const error = await refusal({ email: 'x@example.com', password: 'correct horse', data: { username: 'Taken-Name' } })
    expect(error).toMatchObject({
      status: 422,
      code: 'username_taken',
      message: 'This username is already taken. Please choose another one.',
    })
  })

  it.each(['ab', 'a'.repeat(31), 'naïve', 'a.b.c', ['abc'], { a: 1 }])(
    'rejects the username %j [AUTH-09]',
    async (username) => {
      const error = await refusal({ email: 'x@example.com', password: 'correct horse', data: { username } })
      expect(error).toMatchObject({ status: 422, code: 'validation_failed' })
    },
  )

  it('rejects an address that has an account, in any case', async () => {
    await gateway.signUp({ email: 'known@example.com' })
    expect(await refusal({ email: 'KNOWN@example.com', password: 'another one' })).toMatchObject({
      status: 422,
      code: 'user_already_exists',
    })
  })

  it('gives the address to one of two simultaneous sign-ups', async () => {
    const both = await Promise.all(
      [0, 1].map(() => gateway.client().auth.signUp({ email: 'race@example.com', password: 'correct horse' })),
    )
    expect(both.map(({ error }) => error?.code).sort()).toEqual(['user_already_exists', undefined])
  })

  it('rejects a short password with its reason, and an absurdly long one [AUTH-12]', async () => {
    expect(await refusal({ email: 'x@example.com', password: '1234567' })).toMatchObject({
      name: 'AuthWeakPasswordError',
      status: 422,
      code: 'weak_password',
      reasons: ['length'],
    })
    expect(await refusal({ email: 'x@example.com', password: 'p'.repeat(129) })).toMatchObject({
      code: 'validation_failed',
    })
  })

  it.each(['plain', 'a@', '@b.c', 'a b@c.de', `${'a'.repeat(250)}@b.de`, 'a@b..de', '<a@b.de>'])(
    'rejects the address %j [AUTH-08]',
    async (email) => {
      expect(await refusal({ email, password: 'correct horse' })).toMatchObject({
        status: 400,
        code: 'validation_failed',
      })
    },
  )

  it('rejects a missing password, a missing address, a phone, and an empty request [AUTH-08]', async () => {
    const { auth } = gateway.client()
    expect(await refusal({ email: 'x@example.com', password: '' })).toMatchObject({ code: 'validation_failed' })
    expect(await refusal({ email: '', password: 'correct horse' })).toMatchObject({ code: 'validation_failed' })
    expect((await auth.signUp({ phone: '15551234567', password: 'correct horse' })).error?.code).toBe(
      'phone_provider_disabled',
    )
    expect((await auth.signInAnonymously()).error).toMatchObject({ status: 422, code: 'anonymous_provider_disabled' })
  })

  it('rejects metadata that would outgrow the token', async () => {
    const data = { essay: 'x'.repeat(5000) }
    expect(await refusal({ email: 'x@example.com', password: 'correct horse', data })).toMatchObject({
      status: 422,
      code: 'validation_failed',
    })
  })

  it('makes ADMIN_EMAIL an admin and nobody else [GEN-43]', async () => {
    const boss = await gateway.signUp({ email: 'boss@example.com' })
    await gateway.signUp({ email: 'notboss@example.com' })
    expect(await gateway.query('select user_id, role from public.user_roles')).toEqual([
      { user_id: boss.userId, role: 'admin' },
    ])
  })
})

describe('sign-up limits', () => {
  it('returns 429 with the wait once an address has signed up too often', async () => {
    const small = await startGateway({ env: { AUTH_RATE_LIMIT_SIGN_UP: '2' } })
    try {
      await small.signUp()
      await small.signUp()
      const response = await fetch(`${small.url}/auth/v1/signup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'third@example.com', password: 'correct horse' }),
      })
      expect(response.status).toBe(429)
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await response.json()).toEqual({
        code: 429,
        error_code: 'over_request_rate_limit',
        msg: 'Request rate limit reached',
      })
    } finally {
      await small.close()
    }
  })

  it('rejects everyone if sign-up is switched off', async () => {
    const closed = await startGateway({ env: { AUTH_DISABLE_SIGNUP: '1' } })
    try {
      const { error } = await closed.anon.auth.signUp({ email: 'a@example.com', password: 'correct horse' })
      expect(error).toMatchObject({ status: 422, code: 'signup_disabled' })
    } finally {
      await closed.close()
    }
  })
})

it('calls every client method assigned to it, with success and with an error', () => methods.expectDriven('sign-up'))
