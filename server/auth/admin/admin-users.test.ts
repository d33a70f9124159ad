import { randomUUID } from 'node:crypto'
import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../testing/gateway.ts'
import { buildAdmin } from '../../testing/people.ts'
import { recordMethods } from '../testing/record-methods.ts'

const methods = recordMethods()

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

const admin = () => gateway.service.auth.admin
const signIn = (email: string, password: string) => gateway.client().auth.signInWithPassword({ email, password })
const password = 'correct horse'

async function createUser(overrides: object = {}) {
  const email = `u${randomUUID().slice(0, 8)}@example.com`
  const { data, error } = await admin().createUser({ email, password, email_confirm: true, ...overrides })
  if (error) throw error
  return data.user
}

describe('admin paths', () => {
  it('are closed to visitors and users, even to admins of the product [API-AUTH-24, API-AUTH-25, API-AUTH-26, API-AUTH-27, API-AUTH-28]', async () => {
    const person = await buildAdmin(gateway)
    const asPerson = gateway.client()
    const { data } = await person.client.auth.getSession()
    const token = data.session?.access_token
    const paths: [string, string][] = [
      ['GET', '/admin/users'],
      ['POST', '/admin/users'],
      ['GET', `/admin/users/${person.userId}`],
      ['PUT', `/admin/users/${person.userId}`],
      ['GET', `/admin/users/${person.userId}/factors`],
      ['POST', '/admin/generate_link'],
      ['POST', '/invite'],
      ['DELETE', `/admin/users/${person.userId}`],
    ]
    for (const [method, path] of paths) {
      const call = (headers: Record<string, string>) => fetch(`${gateway.url}/auth/v1${path}`, { method, headers })
      expect([path, (await call({})).status]).toEqual([path, 401])
      expect([path, (await call({ authorization: `Bearer ${gateway.secrets.anonKey}` })).status]).toEqual([path, 403])
      const refused = await call({ authorization: `Bearer ${token}` })
      expect([path, refused.status, await refused.json()]).toEqual([
        path,
        403,
        expect.objectContaining({ error_code: 'not_admin' }),
      ])
      // The service key gets past the permission check: an empty request neither lacks a permission nor a path.
      const { status } = await call({ authorization: `Bearer ${gateway.secrets.serviceRoleKey}` })
      expect([401, 403, 404, 405], path).not.toContain(status)
    }
    expect((await asPerson.auth.admin.listUsers()).error).toMatchObject({ code: 'not_admin' })
  })

  it('create, read, and list accounts with paging', async () => {
    const user = await createUser({ user_metadata: { username: 'made-by-admin' }, app_metadata: { plan: 'gold' } })
    expect(user).toMatchObject({
      email_confirmed_at: expect.any(String),
      app_metadata: { plan: 'gold', provider: 'email', providers: ['email'] },
      user_metadata: { username: 'made-by-admin' },
    })
    expect((await signIn(user.email ?? '', password)).error).toBeNull()
    expect((await admin().getUserById(user.id)).data.user?.id).toBe(user.id)
    await createUser()
    const { data } = await admin().listUsers({ page: 1, perPage: 1 })
    const [count] = await gateway.query<{ n: number }>('select count(*)::int as n from auth.users')
    expect(data).toMatchObject({
      users: [{ id: expect.any(String) }],
      total: count?.n,
      nextPage: 2,
      aud: 'authenticated',
    })
    expect((await admin().listUsers({ page: 1000 })).data.users).toEqual([])
  })

  it('reject duplicates, invalid values, and unsupported fields, and leave no row', async () => {
    const taken = await createUser({ user_metadata: { username: 'taken' } })
    const email = 'never@example.com'
    const refused = async (attributes: object) => (await admin().createUser({ email, password, ...attributes })).error
    expect(await refused({ email: taken.email })).toMatchObject({ status: 422, code: 'email_exists' })
    expect(await refused({ id: taken.id })).toMatchObject({ status: 409, code: 'conflict' })
    expect(await refused({ user_metadata: { username: 'taken' } })).toMatchObject({ code: 'username_taken' })
    expect(await refused({ password: 'short' })).toMatchObject({ code: 'weak_password' })
    expect(await refused({ role: 'service_role' })).toMatchObject({ code: 'validation_failed' })
    expect(await refused({ phone: 'not a number' })).toMatchObject({ code: 'validation_failed' })
    expect(await refused({ password: undefined, password_hash: 'plain text' })).toMatchObject({
      code: 'validation_failed',
    })
    expect(await refused({ ban_duration: 'forever' })).toMatchObject({ code: 'validation_failed' })
    expect(await refused({ email: 'not an address' })).toMatchObject({ code: 'validation_failed' })
    expect(await gateway.query('select from auth.users where email = $1', [email])).toHaveLength(0)
    expect((await admin().getUserById(randomUUID())).error).toMatchObject({ status: 404, code: 'user_not_found' })
  })

  it('update address, password, and metadata; a new password ends the sessions', async () => {
    const person = await gateway.signUp()
    const { data, error } = await admin().updateUserById(person.userId, {
      email: 'Moved@example.com',
      password: 'a new beginning',
      user_metadata: { nick: 'x' },
      app_metadata: { plan: 'gold' },
    })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({
      email: 'moved@example.com',
      user_metadata: { nick: 'x', username: person.username },
      app_metadata: { plan: 'gold', provider: 'email' },
    })
    expect((await person.client.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
    expect((await signIn('moved@example.com', 'a new beginning')).error).toBeNull()
  })

  it('confirm an address', async () => {
    const user = await createUser({ email_confirm: false })
    expect((await signIn(user.email ?? '', password)).error?.code).toBe('email_not_confirmed')
    await admin().updateUserById(user.id, { email: user.email ?? '', user_metadata: { a: 1 } })
    expect((await signIn(user.email ?? '', password)).error?.code).toBe('email_not_confirmed')
    await admin().updateUserById(user.id, { email_confirm: true })
    expect((await signIn(user.email ?? '', password)).error).toBeNull()
  })

  it('ban for a time, which ends the sessions, and lift the ban', async () => {
    const person = await gateway.signUp()
    const { data } = await admin().updateUserById(person.userId, { ban_duration: '1h30m' })
    const until = Date.parse((data.user as { banned_until?: string } | null)?.banned_until ?? '')
    expect(Math.abs(until - Date.now() - 90 * 60_000)).toBeLessThan(10_000)
    expect((await person.client.auth.refreshSession()).error).toMatchObject({ code: 'refresh_token_not_found' })
    expect((await signIn(person.email, person.password)).error?.code).toBe('user_banned')
    await admin().updateUserById(person.userId, { ban_duration: 'none' })
    expect((await admin().updateUserById(person.userId, { ban_duration: 'a while' })).error).toMatchObject({
      status: 400,
    })
    expect((await signIn(person.email, person.password)).error).toBeNull()
  })

  it('delete permanently: account, profile, sessions', async () => {
    const person = await gateway.signUp()
    expect((await admin().deleteUser(person.userId)).error).toBeNull()
    for (const table of [
      'auth.users where id',
      'private.profiles where user_id',
      'auth.sessions where user_id',
      'auth.refresh_tokens where user_id',
    ]) {
      expect(await gateway.query(`select from ${table} = $1`, [person.userId])).toHaveLength(0)
    }
    expect((await person.client.auth.getUser()).error).toMatchObject({ code: 'user_not_found' })
    expect((await admin().deleteUser(person.userId)).error).toMatchObject({ code: 'user_not_found' })
    const again: SupabaseClient = gateway.client()
    expect((await again.auth.signUp({ email: person.email, password })).error).toBeNull()
  })

  it("delete permanently: files and the payment provider's data too [D6]", async () => {
    const person = await gateway.signUp()
    await gateway.query(`insert into storage.objects (bucket_id, name, version) values ('avatars', $1, 'v1')`, [
      `${person.userId}/face.png`,
    ])
    const customer = `cus_${person.userId}`
    await gateway.query('insert into private.stripe_customers (profile_id, customer_id) values ($1, $2)', [
      person.profileId,
      customer,
    ])
    expect((await admin().deleteUser(person.userId)).error).toBeNull()
    expect(await gateway.query('select from storage.objects where path_tokens[1] = $1', [person.userId])).toEqual([])
    expect(await gateway.query('select kind from private.payment_tasks where target = $1', [customer])).toEqual([
      { kind: 'delete_customer' },
    ])
  })

  it('delete softly: the row stays, but nobody can sign in with it or be recognized from it', async () => {
    const person = await gateway.signUp()
    expect((await admin().deleteUser(person.userId, true)).error).toBeNull()
    const [row] = await gateway.query<{ row: string }>(
      'select to_jsonb(u)::text as row from auth.users u where id = $1',
      [person.userId],
    )
    expect(row?.row).not.toContain(person.email)
    expect(row?.row).not.toContain('argon2')
    expect((await signIn(person.email, person.password)).error?.code).toBe('invalid_credentials')
    expect((await person.client.auth.getUser()).error).toMatchObject({ code: 'user_not_found' })
    expect((await person.client.auth.refreshSession()).error).toMatchObject({ code: 'refresh_token_not_found' })
  })
})

describe('links made by an admin', () => {
  it('invite: the emailed link signs in, and the user chooses a password [API-AUTH-28]', async () => {
    const { data, error } = await admin().inviteUserByEmail('guest@example.com', { data: { username: 'guest' } })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ email: 'guest@example.com', invited_at: expect.any(String) })
    expect((await admin().inviteUserByEmail('guest@example.com')).error).toBeNull() // again, while unconfirmed
    const { data: link } = await admin().generateLink({ type: 'invite', email: 'guest@example.com' })
    const client = gateway.client()
    const verified = await client.auth.verifyOtp({ token_hash: link.properties?.hashed_token ?? '', type: 'invite' })
    expect(verified.data.user?.email).toBe('guest@example.com')
    expect((await client.auth.updateUser({ password: 'chosen by guest' })).error).toBeNull()
    expect((await signIn('guest@example.com', 'chosen by guest')).error).toBeNull()
    expect((await admin().inviteUserByEmail('guest@example.com')).error).toMatchObject({ code: 'email_exists' })
  })

  it('are created without sending them, for each kind [API-AUTH-27]', async () => {
    const person = await gateway.signUp()
    for (const type of ['magiclink', 'recovery'] as const) {
      const { data, error } = await admin().generateLink({ type, email: person.email })
      expect(error).toBeNull()
      expect(data.properties).toMatchObject({
        verification_type: type,
        email_otp: expect.stringMatching(/^\d{6}$/),
        redirect_to: gateway.url,
        action_link: expect.stringContaining(`/auth/v1/verify?token=${data.properties?.hashed_token}&type=${type}`),
      })
      expect(data.user?.id).toBe(person.userId)
      const verified = await gateway
        .client()
        .auth.verifyOtp({ email: person.email, token: data.properties?.email_otp ?? '', type })
      expect(verified.data.user?.id).toBe(person.userId)
    }
    const signup = await admin().generateLink({ type: 'signup', email: 'linked@example.com', password })
    const verified = await gateway
      .client()
      .auth.verifyOtp({ token_hash: signup.data.properties?.hashed_token ?? '', type: 'signup' })
    expect(verified.data.user?.email).toBe('linked@example.com')
  })

  it('are rejected if they make no sense', async () => {
    const person = await gateway.signUp()
    const refused = async (body: object) => {
      const response = await fetch(`${gateway.url}/auth/v1/admin/generate_link`, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.secrets.serviceRoleKey}` },
        body: JSON.stringify(body),
      })
      return [response.status, ((await response.json()) as { error_code: string }).error_code]
    }
    expect((await admin().generateLink({ type: 'recovery', email: 'nobody@example.com' })).error).toMatchObject({
      status: 404,
      code: 'user_not_found',
    })
    expect(await refused({ type: 'signup', email: person.email, password })).toEqual([422, 'email_exists'])
    expect(await refused({ type: 'signup', email: 'x@example.com' })).toEqual([400, 'validation_failed'])
    expect(await refused({ type: 'nothing', email: 'x@example.com' })).toEqual([400, 'validation_failed'])
    expect(await refused({ type: 'email_change_new', email: person.email })).toEqual([400, 'validation_failed'])
  })
})

it('calls every client method assigned to it, with success and with an error', () =>
  methods.expectDriven('admin-users'))
