import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../testing/gateway.ts'
import { follow, linkIn, messageTo } from '../testing/mailbox.ts'
import { recordMethods } from '../testing/record-methods.ts'

const methods = recordMethods()

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway({ env: { AUTH_RATE_LIMIT_FAILED_SIGN_IN: '3' } })
})
afterAll(() => gateway.close())

const signIn = (email: string, password: string) => gateway.client().auth.signInWithPassword({ email, password })

describe('the user', () => {
  it('is read with only the token [API-AUTH-12]', async () => {
    const person = await gateway.signUp()
    const { data, error } = await person.client.auth.getUser()
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ id: person.userId, email: person.email, identities: [{ provider: 'email' }] })
    expect(JSON.stringify(data.user)).not.toContain('argon2')
    expect((await gateway.anon.auth.getUser('no token')).error).toMatchObject({
      status: 401,
      code: 'bad_jwt',
      message: expect.stringMatching(/^invalid JWT: unable to parse or verify signature, ./),
    })
    const visitor = await fetch(`${gateway.url}/auth/v1/user`)
    expect([visitor.status, await visitor.json()]).toEqual([
      401,
      { code: 401, error_code: 'no_authorization', msg: 'This endpoint requires a Bearer token' },
    ])
  })

  it('merges metadata, and null removes a key [API-AUTH-13]', async () => {
    const { client } = await gateway.signUp({ data: { a: 1, b: 2 } })
    const { data } = await client.auth.updateUser({ data: { b: null, c: { d: [3] } } })
    expect(data.user?.user_metadata).toMatchObject({ a: 1, c: { d: [3] } })
    expect(data.user?.user_metadata).not.toHaveProperty('b')
    const refused = await client.auth.updateUser({ data: { essay: 'x'.repeat(5000) } })
    expect(refused.error).toMatchObject({ status: 422, code: 'validation_failed' })
    expect((await client.auth.getUser()).data.user?.user_metadata).not.toHaveProperty('essay')
  })

  it("can't gain permissions by its metadata or by other fields", async () => {
    const { client, userId } = await gateway.signUp()
    await client.auth.updateUser({ data: { role: 'service_role' } })
    const { data } = await client.auth.getSession()
    const response = await fetch(`${gateway.url}/auth/v1/user`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${data.session?.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        role: 'service_role',
        app_metadata: { admin: true },
        id: '00000000-0000-0000-0000-000000000000',
      }),
    })
    expect(response.status).toBe(200)
    expect(
      await gateway.query('select role, raw_app_meta_data as app from auth.users where id = $1', [userId]),
    ).toEqual([{ role: 'authenticated', app: { provider: 'email', providers: ['email'] } }])
  })

  it('changes the password, stays signed in, and ends the other sessions', async () => {
    const person = await gateway.signUp()
    const other = gateway.client()
    await other.auth.signInWithPassword({ email: person.email, password: person.password })
    const { error } = await person.client.auth.updateUser({ password: 'a new beginning' })
    expect(error).toBeNull()
    expect((await person.client.auth.refreshSession()).error).toBeNull()
    expect((await other.auth.refreshSession()).error).toMatchObject({ code: 'refresh_token_not_found' })
    expect((await signIn(person.email, person.password)).error?.code).toBe('invalid_credentials')
    expect((await signIn(person.email, 'a new beginning')).error).toBeNull()
  })

  it('rejects a password that is short, unchanged, or sent with a wrong current one [SET-09]', async () => {
    const { client, email, password } = await gateway.signUp()
    expect((await client.auth.updateUser({ password: '1234567' })).error).toMatchObject({
      status: 422,
      code: 'weak_password',
    })
    expect((await client.auth.updateUser({ password })).error).toMatchObject({ status: 422, code: 'same_password' })
    const guess = () => client.auth.updateUser({ password: 'a new beginning', current_password: 'wrong guess' })
    for (let tries = 0; tries < 3; tries++)
      expect((await guess()).error).toMatchObject({ status: 400, code: 'invalid_credentials' })
    expect((await guess()).error).toMatchObject({ status: 429 })
    expect((await signIn(email, password)).error).toBeNull()
  })

  it('changes the address once both addresses have confirmed it, even without SMTP, and rejects a taken one [API-AUTH-13, D19]', async () => {
    const taken = await gateway.signUp()
    const { client, password, email } = await gateway.signUp()
    expect((await client.auth.updateUser({ email: taken.email, data: { lost: true } })).error).toMatchObject({
      code: 'email_exists',
    })
    expect((await client.auth.getUser()).data.user?.user_metadata).not.toHaveProperty('lost') // all or nothing
    const next = `new-${email}`
    const { data } = await client.auth.updateUser({ email: next })
    expect(data.user).toMatchObject({ email, new_email: next })
    const [toNew, toCurrent] = [await messageTo(gateway, next), await messageTo(gateway, email)]
    await follow(linkIn(toNew))
    expect((await signIn(next, password)).error?.code).toBe('invalid_credentials')
    await follow(linkIn(toCurrent))
    expect((await client.auth.getUser()).data.user).toMatchObject({ email: next, identities: [{ email: next }] })
    expect((await signIn(next, password)).error).toBeNull()
  })

  it("rejects a phone, which can't be confirmed here", async () => {
    const { client } = await gateway.signUp()
    expect((await client.auth.updateUser({ phone: '15551234567' })).error).toMatchObject({
      code: 'phone_provider_disabled',
    })
  })
})

describe('unconfigured features', () => {
  it("return the client's own codes and never 404 [D44] [API-AUTH-29]", async () => {
    const { client } = await gateway.signUp()
    const { auth } = client
    expect((await auth.signInWithOtp({ phone: '15551234567' })).error).toMatchObject({
      code: 'phone_provider_disabled',
    })
    expect((await auth.signInWithIdToken({ provider: 'google', token: 'x' })).error).toMatchObject({
      code: 'provider_disabled',
    })
    const web3 = await fetch(`${gateway.url}/auth/v1/token?grant_type=web3`, { method: 'POST', body: '{}' })
    expect([web3.status, await web3.json()]).toEqual([
      422,
      expect.objectContaining({ error_code: 'web3_provider_disabled' }),
    ])
    expect((await auth.signInWithSSO({ domain: 'example.com' })).error).toMatchObject({
      code: 'saml_provider_disabled',
    })
    expect(
      (await auth.linkIdentity({ provider: 'google', options: { skipBrowserRedirect: true } })).error,
    ).toMatchObject({
      code: 'provider_disabled',
    })
    const [identity] = (await auth.getUserIdentities()).data?.identities ?? []
    expect(identity && (await auth.unlinkIdentity(identity)).error).toMatchObject({
      code: 'single_identity_not_deletable',
    })
    expect((await auth.mfa.enroll({ factorType: 'phone', phone: '15551234567' })).error).toMatchObject({
      code: 'mfa_phone_enroll_not_enabled',
    })
    for (const [method, path, code] of [
      ['GET', '/sso/saml/metadata', 'saml_provider_disabled'],
      ['GET', '/callback?code=x', 'provider_disabled'],
      ['GET', '/user/oauth/grants', 'provider_disabled'],
      ['GET', '/admin/sso/providers', 'no_authorization'],
    ] as const) {
      const response = await fetch(`${gateway.url}/auth/v1${path}`, { method })
      expect([path, response.status === 404, await response.json()]).toMatchObject([path, false, { error_code: code }])
    }
    const authorize = await fetch(`${gateway.url}/auth/v1/authorize?provider=google`)
    expect([authorize.status, await authorize.json()]).toEqual([
      400,
      expect.objectContaining({ error_code: 'provider_disabled' }),
    ])
  })
})

describe('information about auth/v1', () => {
  const get = async (path: string) => {
    const response = await fetch(`${gateway.url}/auth/v1${path}`)
    return { status: response.status, body: await response.json(), headers: response.headers }
  }

  it('settings, health, and an empty key set, because a shared secret is never published [API-AUTH-23] [AUTH-29]', async () => {
    expect((await get('/settings')).body).toMatchObject({
      external: { email: true, phone: false, google: false },
      disable_signup: false,
      mailer_autoconfirm: true,
    })
    expect((await get('/health')).body).toMatchObject({ name: 'auth' })
    const keys = await get('/.well-known/jwks.json')
    expect(keys.body).toEqual({ keys: [] })
    expect(keys.headers.get('cache-control')).toBe('public, max-age=600')
  })

  it("unknown paths return the API's error format, in the version that the client names", async () => {
    expect(await get('/nothing')).toMatchObject({ status: 404, body: { code: 404, error_code: 'not_found' } })
    const response = await fetch(`${gateway.url}/auth/v1/nothing`, {
      headers: { 'x-supabase-api-version': '2024-01-01' },
    })
    expect(response.headers.get('x-supabase-api-version')).toBe('2024-01-01')
    expect(await response.json()).toEqual({ code: 'not_found', message: expect.any(String) })
  })
})

it('calls every client method assigned to it, with success and with an error', () => methods.expectDriven('user'))
