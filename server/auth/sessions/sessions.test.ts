import type { SupabaseClient } from '@supabase/supabase-js'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../testing/gateway.ts'
import { recordMethods } from '../testing/record-methods.ts'

const methods = recordMethods()

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())

async function sessionOf(client: SupabaseClient) {
  const { data } = await client.auth.getSession()
  if (!data.session) throw new Error('no session')
  return data.session
}

/** Exchanges the stored session with a client that knows only its refresh token. */
const refresh = (refreshToken: string) => gateway.client().auth.refreshSession({ refresh_token: refreshToken })

describe('the session', () => {
  it('carries the claims that clients and policies expect [API-AUTH-02]', async () => {
    const person = await gateway.signUp()
    const { data } = await gateway
      .client()
      .auth.signInWithPassword({ email: person.email.toUpperCase(), password: person.password })
    const session = data.session
    const now = Math.floor(Date.now() / 1000)
    expect(session).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/\S{12}/),
      user: { id: person.userId, identities: [{ provider: 'email', user_id: person.userId }] },
    })
    expect(Math.abs((session?.expires_at ?? 0) - now - 3600)).toBeLessThan(10)
    expect(decodeJwt(session?.access_token ?? '')).toMatchObject({
      iss: `${gateway.url}/auth/v1`,
      sub: person.userId,
      aud: 'authenticated',
      role: 'authenticated',
      email: person.email,
      phone: '',
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: expect.any(Number) }],
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      is_anonymous: false,
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { username: person.username },
    })
  })

  it('stores no refresh token, only hashes', async () => {
    const { client, userId } = await gateway.signUp()
    const { refresh_token } = await sessionOf(client)
    const rows = await gateway.query('select to_jsonb(t) as row from auth.refresh_tokens t where user_id = $1', [
      userId,
    ])
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(refresh_token)
  })
})

describe('refreshing', () => {
  it('exchanges a token once and keeps the session and its assurance level [API-AUTH-03]', async () => {
    const { client, userId } = await gateway.signUp()
    const before = await sessionOf(client)
    const { data, error } = await client.auth.refreshSession()
    expect(error).toBeNull()
    expect(data.session?.refresh_token).not.toBe(before.refresh_token)
    expect(decodeJwt(data.session?.access_token ?? '')).toMatchObject({
      session_id: decodeJwt(before.access_token).session_id,
      amr: decodeJwt(before.access_token).amr,
    })
    expect(data.user?.identities).toHaveLength(1)
    const tokens = await gateway.query('select revoked from auth.refresh_tokens where user_id = $1 order by id', [
      userId,
    ])
    expect(tokens).toEqual([{ revoked: true }, { revoked: false }])
  })

  it('keeps tabs that refresh at once signed in: all get the same successor', async () => {
    const { client, userId } = await gateway.signUp()
    const { refresh_token } = await sessionOf(client)
    const answers = await Promise.all(Array.from({ length: 6 }, () => refresh(refresh_token)))
    expect(answers.map(({ error }) => error)).toEqual(Array(6).fill(null))
    expect(new Set(answers.map(({ data }) => data.session?.refresh_token)).size).toBe(1)
    const next = await refresh(answers[0]?.data.session?.refresh_token ?? '')
    expect(next.error).toBeNull()
    const active = await gateway.query('select from auth.refresh_tokens where user_id = $1 and not revoked', [userId])
    expect(active).toHaveLength(1)
  })

  it('gives a late tab the current token even if others have moved on twice', async () => {
    const { client } = await gateway.signUp()
    const first = (await sessionOf(client)).refresh_token
    const second = (await refresh(first)).data.session?.refresh_token ?? ''
    const third = (await refresh(second)).data.session?.refresh_token ?? ''
    const late = await refresh(first)
    expect(late.data.session?.refresh_token).toBe(third)
  })

  it('ends the session for thief and owner if a spent token is reused after the grace interval', async () => {
    const { client, userId } = await gateway.signUp()
    const stolen = (await sessionOf(client)).refresh_token
    await client.auth.refreshSession()
    const current = await sessionOf(client)
    await gateway.query(
      `update auth.refresh_tokens set updated_at = updated_at - interval '11 seconds' where user_id = $1`,
      [userId],
    )
    expect((await refresh(stolen)).error).toMatchObject({ status: 400, code: 'refresh_token_already_used' })
    expect((await refresh(current.refresh_token)).error).toMatchObject({ status: 400, code: 'refresh_token_not_found' })
    expect((await gateway.client().auth.getUser(current.access_token)).error?.name).toBe('AuthSessionMissingError')
    expect(await gateway.query('select from auth.sessions where user_id = $1', [userId])).toHaveLength(0)
    const [entry] = await gateway.query(
      `select payload from auth.audit_log_entries where payload ->> 'action' = 'token_revoked' and payload ->> 'actor_id' = $1`,
      [userId],
    )
    expect(entry).toMatchObject({ payload: { traits: { reason: 'refresh token used again' } } })
  })

  it('rejects unknown, empty, and missing tokens, and those of a banned user or an ended session', async () => {
    expect((await refresh('made-up')).error).toMatchObject({ status: 400, code: 'refresh_token_not_found' })
    const response = await fetch(`${gateway.url}/auth/v1/token?grant_type=refresh_token`, {
      method: 'POST',
      body: '{}',
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      code: 400,
      error_code: 'validation_failed',
      msg: 'refresh_token is required',
    })

    const banned = await gateway.signUp()
    await gateway.query(`update auth.users set banned_until = now() + interval '1 hour' where id = $1`, [banned.userId])
    expect((await refresh((await sessionOf(banned.client)).refresh_token)).error).toMatchObject({ code: 'user_banned' })

    const ended = await gateway.signUp()
    await gateway.query(`update auth.sessions set not_after = now() - interval '1 second' where user_id = $1`, [
      ended.userId,
    ])
    const session = await sessionOf(ended.client)
    expect((await ended.client.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
    expect((await refresh(session.refresh_token)).error).toMatchObject({ code: 'session_expired' })
  })
})

describe('signing out', () => {
  async function twoDevices() {
    const person = await gateway.signUp()
    const other = gateway.client()
    await other.auth.signInWithPassword({ email: person.email, password: person.password })
    return { person, here: await sessionOf(person.client), there: await sessionOf(other), other }
  }
  const isSignedIn = async (token: string) => (await gateway.client().auth.getUser(token)).error === null

  it.each([
    ['local', false, true],
    ['others', true, false],
    ['global', false, false],
  ] as const)('with scope %s [API-AUTH-11] [AUTH-24]', async (scope, hereStays, thereStays) => {
    const { person, here, there } = await twoDevices()
    expect((await person.client.auth.signOut({ scope })).error).toBeNull()
    expect(await isSignedIn(here.access_token)).toBe(hereStays)
    expect(await isSignedIn(there.access_token)).toBe(thereStays)
    expect((await refresh(there.refresh_token)).error === null).toBe(thereStays)
  })

  it('rejects an unknown scope and a visitor', async () => {
    const { client } = await gateway.signUp()
    const { access_token } = await sessionOf(client)
    await expect(client.auth.signOut({ scope: 'nowhere' as never })).rejects.toThrow('Parameter scope must be one of')
    const logout = (query: string, headers = {}) =>
      fetch(`${gateway.url}/auth/v1/logout${query}`, {
        method: 'POST',
        headers: { apikey: gateway.secrets.anonKey, ...headers },
      })
    expect((await logout('?scope=all', { authorization: `Bearer ${access_token}` })).status).toBe(400)
    const visitor = await logout('')
    expect(visitor.status).toBe(401)
    expect(await visitor.json()).toMatchObject({ error_code: 'no_authorization' })
    expect(await isSignedIn(access_token)).toBe(true)
  })
})

describe('access tokens', () => {
  const userWith = (token: string) => gateway.client().auth.getUser(token)

  it('are rejected if tampered with, expired, or without a user', async () => {
    const { client, userId } = await gateway.signUp()
    const { access_token } = await sessionOf(client)
    const [header, payload = '', signature] = access_token.split('.')
    const forged = Buffer.from(JSON.stringify({ ...decodeJwt(access_token), role: 'service_role' })).toString(
      'base64url',
    )
    expect(forged).not.toBe(payload)
    expect((await userWith([header, forged, signature].join('.'))).error).toMatchObject({
      status: 401,
      code: 'bad_jwt',
    })
    const expired = await gateway.services.tokens.sign({ ...decodeJwt(access_token), exp: 1_700_000_000 }, 0)
    expect((await userWith(expired)).error).toMatchObject({ status: 401, code: 'bad_jwt' })
    expect((await userWith(gateway.secrets.anonKey)).error).toMatchObject({ status: 403, code: 'bad_jwt' })
    expect((await userWith(gateway.secrets.serviceRoleKey)).error).toMatchObject({ status: 403, code: 'bad_jwt' })
    await gateway.query('delete from auth.users where id = $1', [userId])
    expect((await userWith(access_token)).error).toMatchObject({ status: 403, code: 'user_not_found' })
  })
})

it('calls every client method assigned to it, with success and with an error', () => methods.expectDriven('sessions'))
