import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../testing/gateway.ts'
import { recordMethods } from '../testing/record-methods.ts'

const methods = recordMethods()

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway({ env: { AUTH_RATE_LIMIT_FAILED_SIGN_IN: '3' } })
})
afterAll(() => gateway.close())

const signIn = (email: string, password: string) => gateway.client().auth.signInWithPassword({ email, password })

describe('sign-in', () => {
  it('opens a separate session and records it [API-AUTH-02] [AUTH-08]', async () => {
    const person = await gateway.signUp()
    const { data, error } = await signIn(person.email, person.password)
    expect(error).toBeNull()
    expect(data.user?.id).toBe(person.userId)
    const sessions = await gateway.query('select host(ip) as ip, user_agent from auth.sessions where user_id = $1', [
      person.userId,
    ])
    expect(sessions).toEqual(Array(2).fill({ ip: '127.0.0.1', user_agent: expect.any(String) }))
    const audit = await gateway.query(
      `select ip_address, payload ->> 'action' as action from auth.audit_log_entries where payload ->> 'actor_id' = $1 order by created_at`,
      [person.userId],
    )
    expect(audit.at(-1)).toEqual({ ip_address: '127.0.0.1', action: 'login' })
  })

  it('records a failure, but not what was typed if the address is unknown', async () => {
    const person = await gateway.signUp()
    for (const email of [person.email, 'nobody0@example.com']) {
      expect((await signIn(email, 'wrong password')).error).toMatchObject({
        status: 400,
        code: 'invalid_credentials',
        message: 'Invalid login credentials',
      })
    }
    const failed = await gateway.query(
      `select payload from auth.audit_log_entries where payload ->> 'action' = 'login_failed'`,
    )
    expect(failed).toHaveLength(2)
    expect(JSON.stringify(failed)).not.toContain('nobody0')
  })

  it('stops guessing at one account, and lets other users in', async () => {
    const victim = await gateway.signUp()
    for (let guess = 0; guess < 3; guess++)
      expect((await signIn(victim.email, `guess ${guess}`)).error?.code).toBe('invalid_credentials')
    expect((await signIn(victim.email, victim.password)).error).toMatchObject({
      status: 429,
      code: 'over_request_rate_limit',
    })
    const other = await gateway.signUp()
    expect((await signIn(other.email, other.password)).error).toBeNull()
  })

  it('reveals a ban or a missing confirmation only with the right password', async () => {
    const person = await gateway.signUp()
    await gateway.query(`update auth.users set banned_until = now() + interval '1 day' where id = $1`, [person.userId])
    expect((await signIn(person.email, 'wrong password')).error?.code).toBe('invalid_credentials')
    expect((await signIn(person.email, person.password)).error).toMatchObject({ status: 400, code: 'user_banned' })
    await gateway.query('update auth.users set banned_until = null, email_confirmed_at = null where id = $1', [
      person.userId,
    ])
    expect((await signIn(person.email, 'wrong password')).error?.code).toBe('invalid_credentials')
    expect((await signIn(person.email, person.password)).error).toMatchObject({
      status: 400,
      code: 'email_not_confirmed',
    })
  })

  it('never accepts a password for an account without one', async () => {
    const person = await gateway.signUp()
    await gateway.query('update auth.users set encrypted_password = null where id = $1', [person.userId])
    expect((await signIn(person.email, person.password)).error?.code).toBe('invalid_credentials')
  })

  it.each([{}, { email: 'ada@example.com' }, { phone: '15551234567' }, { password: 'correct horse' }])(
    'needs an email or a phone, and a password, as sign-up does: %j [API-AUTH-02, AUTH-08]',
    async (given) => {
      for (const path of ['token?grant_type=password', 'signup']) {
        const response = await fetch(`${gateway.url}/auth/v1/${path}`, { method: 'POST', body: JSON.stringify(given) })
        expect([path, response.status >= 400 && response.status < 500]).toEqual([path, true])
      }
      expect(await gateway.query(`select from auth.users where email = 'ada@example.com'`)).toEqual([])
      const person = await gateway.signUp()
      expect((await signIn(person.email, person.password)).error).toBeNull()
    },
  )

  it("rejects unconfigured grants with the client's own codes [D44] [API-AUTH-29]", async () => {
    const { auth } = gateway.client()
    expect((await auth.signInWithIdToken({ provider: 'google', token: 'x' })).error).toMatchObject({
      status: 400,
      code: 'provider_disabled',
    })
    for (const [grant, status, code] of [
      ['web3', 422, 'web3_provider_disabled'],
      ['constructor', 400, 'invalid_credentials'],
      ['', 400, 'invalid_credentials'],
    ]) {
      const response = await fetch(`${gateway.url}/auth/v1/token?grant_type=${grant}`, { method: 'POST', body: '{}' })
      expect([response.status, await response.json()]).toEqual([status, expect.objectContaining({ error_code: code })])
    }
  })
})

it('calls every client method assigned to it, with success and with an error', () => methods.expectDriven('sign-in'))
