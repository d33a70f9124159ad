import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { nameDevice } from '@ovation/contract/device-name'
import { createClient } from '@supabase/supabase-js'
import { hash as bcrypt } from 'bcryptjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { startGateway, type TestGateway } from '../testing/gateway.ts'
import { sweepAccounts } from './sweep-accounts.ts'
import { countTo, messageTo, patient } from './testing/mailbox.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway({ env: { ...patient, AUTH_MAILER_AUTOCONFIRM: '1' } })
})
afterAll(() => gateway.close())

const agents = {
  firefox: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
  firefoxLater: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:141.0) Gecko/20100101 Firefox/141.0',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) Version/19.0 Mobile Safari/604.1',
} as const

const from = (userAgent: string) =>
  createClient(gateway.url, gateway.secrets.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { headers: { 'user-agent': userAgent } },
  })

describe('passwords', () => {
  it.each(['password', 'PassWord1', '12345678', 'iloveyou2', 'qwertyuiop'])(
    'rejects %j, which attackers try first',
    async (password) => {
      const { error } = await gateway.client().auth.signUp({ email: 'weak@example.com', password })
      expect(error).toMatchObject({ status: 422, code: 'weak_password', reasons: ['pwned'] })
    },
  )

  it('says if one is too short instead [AUTH-12] [SET-09]', async () => {
    const { error } = await gateway.client().auth.signUp({ email: 'weak@example.com', password: 'short' })
    expect(error).toMatchObject({ code: 'weak_password', reasons: ['length'] })
  })

  it('are accepted as imported bcrypt hashes, and rehashed at the first sign-in', async () => {
    const email = 'imported@example.com'
    const password = 'from an older system'
    const password_hash = await bcrypt(password, 6)
    const { data, error } = await gateway.service.auth.admin.createUser({ email, password_hash, email_confirm: true })
    expect(error).toBeNull()
    const signIn = async (typed: string) =>
      (await gateway.client().auth.signInWithPassword({ email, password: typed })).error?.code
    const stored = async () =>
      (
        await gateway.query<{ hash: string }>('select encrypted_password as hash from auth.users where id = $1', [
          data.user?.id,
        ])
      )[0]?.hash
    expect(await signIn('not that one')).toBe('invalid_credentials')
    expect(await stored()).toBe(password_hash)
    expect(await signIn(password)).toBeUndefined()
    expect(await stored()).toMatch(/^\$argon2id\$/)
    expect(await signIn(password)).toBeUndefined()
    expect(await signIn('not that one')).toBe('invalid_credentials')
  })
})

describe('a sign-in from a new device', () => {
  it("alerts the owner, once, and a browser update isn't a new device [SET-22] [D38]", async () => {
    const { email, password } = await gateway.signUp()
    const signIn = (agent: string) => from(agent).auth.signInWithPassword({ email, password })
    await signIn(agents.firefox)
    const mail = await messageTo(gateway, email)
    expect(mail.subject).toBe('New sign-in to your Ovation account')
    expect(mail.text).toContain('Firefox on Windows')
    await signIn(agents.firefoxLater)
    expect(await countTo(gateway, email)).toBe(1)
    await signIn(agents.iphone)
    expect((await messageTo(gateway, email, 2)).text).toContain('Safari on iPhone')
  })

  it('sends no alert to a user who turned alerts off', async () => {
    const { client, email, password } = await gateway.signUp()
    const { error } = await client
      .from('user_settings')
      .update({ security: { loginAlerts: false } })
      .select()
    expect(error).toBeNull()
    await from(agents.iphone).auth.signInWithPassword({ email, password })
    expect(await countTo(gateway, email)).toBe(0)
  })

  it('has a readable name', () => {
    expect([nameDevice(null), nameDevice('curl/8'), nameDevice(agents.iphone)]).toEqual([
      'an unknown device',
      'an unknown device',
      'Safari on iPhone',
    ])
  })
})

describe('sessions', () => {
  it('are listed, the current one first, and ended one by one', async () => {
    const person = await gateway.signUp()
    const other = from(agents.firefox)
    await other.auth.signInWithPassword(person)
    const { data } = await person.client.rpc('list_own_sessions')
    expect(data).toMatchObject([
      { is_current: true, aal: 'aal1' },
      { is_current: false, user_agent: agents.firefox, ip: '127.0.0.1' },
    ])
    const session_id = data?.[1]?.id
    const stranger = await gateway.signUp()
    expect((await stranger.client.rpc('end_own_session', { session_id })).data).toBe(false)
    expect((await person.client.rpc('end_own_session', { session_id })).data).toBe(true)
    expect((await other.auth.refreshSession()).error).not.toBeNull()
    expect((await person.client.rpc('list_own_sessions')).data).toHaveLength(1)
    expect((await gateway.anon.rpc('list_own_sessions')).error?.code).toBe('42501')
  })
})

describe('the hourly sweep', () => {
  it('removes expired data, and nothing else', async () => {
    const admin = gateway.service.auth.admin
    const make = async (email: string, email_confirm: boolean) =>
      (await admin.createUser({ email, email_confirm })).data.user?.id ?? ''
    const stale = await make('stale@example.com', false)
    const fresh = await make('fresh@example.com', false)
    const confirmed = await make('kept@example.com', true)
    await gateway.query(`update auth.users set created_at = now() - interval '31 days' where id = any($1)`, [
      [stale, confirmed],
    ])
    await gateway.query(
      `insert into auth.spent_wallet_messages values ('a', now() - interval '1 hour'), ('b', now() + interval '1 hour')`,
    )
    await sweepAccounts(gateway.services.database.service, gateway.services.config.auth)
    const left = await gateway.query<{ id: string }>('select id from auth.users where id = any($1)', [
      [stale, fresh, confirmed],
    ])
    expect(left.map(({ id }) => id).sort()).toEqual([fresh, confirmed].sort())
    expect(await gateway.query('select message_hash from auth.spent_wallet_messages')).toEqual([{ message_hash: 'b' }])
  })
})

describe("the issuer's metadata", () => {
  it('name its key set', async () => {
    const response = await fetch(`${gateway.url}/auth/v1/.well-known/openid-configuration`)
    expect(await response.json()).toMatchObject({
      issuer: `${gateway.url}/auth/v1`,
      jwks_uri: `${gateway.url}/auth/v1/.well-known/jwks.json`,
    })
  })
})

describe('limits for an IP address', () => {
  it("apply to sign-ins, refreshes, and emails for any account, and a header doesn't lift them", async () => {
    const strict = await startGateway({
      env: {
        AUTH_RATE_LIMIT_SIGN_IN: '3',
        AUTH_RATE_LIMIT_TOKEN_REFRESH: '2',
        AUTH_RATE_LIMIT_EMAIL_SENT: '2',
        AUTH_SMTP_MAX_FREQUENCY: '0',
      },
    })
    try {
      const { client } = await strict.signUp()
      for (let turn = 0; turn < 2; turn++) expect((await client.auth.refreshSession()).error).toBeNull()
      const tooMany = { status: 429, code: 'over_request_rate_limit' }
      expect((await client.auth.refreshSession()).error).toMatchObject(tooMany)
      const somebody = (turn: number) => `somebody${turn}@example.com`
      const signIn = (turn: number, auth = strict.client().auth) =>
        auth.signInWithPassword({ email: somebody(turn), password: 'a wrong password' })
      for (let turn = 0; turn < 3; turn++) expect((await signIn(turn)).error?.code).toBe('invalid_credentials')
      expect((await signIn(3)).error).toMatchObject(tooMany)
      for (let turn = 0; turn < 2; turn++)
        expect((await strict.client().auth.resetPasswordForEmail(somebody(turn))).error).toBeNull()
      expect((await strict.client().auth.resetPasswordForEmail(somebody(2))).error).toMatchObject({
        status: 429,
        code: 'over_email_send_rate_limit',
      })
      // The address that the nearest trusted proxy saw counts, not what a visitor prepends to it.
      const forwarded = (first: string) =>
        createClient(strict.url, strict.secrets.anonKey, {
          global: { headers: { 'x-forwarded-for': `${first}, 203.0.113.9` } },
        }).auth
      for (let turn = 0; turn < 3; turn++)
        expect((await signIn(turn, forwarded(`198.51.100.${turn}`))).error?.code).toBe('invalid_credentials')
      expect((await signIn(4, forwarded('198.51.100.4'))).error).toMatchObject(tooMany)
    } finally {
      await strict.close()
    }
  })
})

describe('the address of a client', () => {
  it('is taken only from proxies in TRUSTED_PROXIES', async () => {
    const addressBehind = async (trustedProxies: string) => {
      const behind = await startGateway({ env: { TRUSTED_PROXIES: trustedProxies, AUTH_MAILER_AUTOCONFIRM: '1' } })
      try {
        const { error } = await createClient(behind.url, behind.secrets.anonKey, {
          auth: { persistSession: false, autoRefreshToken: false },
          global: { headers: { 'x-forwarded-for': '198.51.100.77' } },
        }).auth.signUp({ email: 'proxied@example.com', password: 'a long password of mine' })
        expect(error).toBeNull()
        return (await behind.query<{ ip: string }>('select host(ip) as ip from auth.sessions'))[0]?.ip
      } finally {
        await behind.close()
      }
    }
    expect(await addressBehind('loopback')).toBe('198.51.100.77')
    expect(await addressBehind('10.77.0.0/16')).toBe('127.0.0.1')
  })
})

describe('a captcha', () => {
  it('is required if the operator wants it, but not of the service key', async () => {
    const asked: URLSearchParams[] = []
    const server: Server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      asked.push(new URLSearchParams(body))
      response.end(JSON.stringify({ success: asked.at(-1)?.get('response') === 'solved' }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const guarded = await startGateway({
      env: {
        AUTH_SECURITY_CAPTCHA_ENABLED: '1',
        AUTH_SECURITY_CAPTCHA_SECRET: 'secret',
        AUTH_SECURITY_CAPTCHA_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`,
      },
    })
    try {
      const signUp = async (captchaToken?: string) =>
        (
          await guarded.client().auth.signUp({
            email: 'a@example.com',
            password: 'correct horse',
            options: { ...(captchaToken && { captchaToken }) },
          })
        ).error
      expect(await signUp()).toMatchObject({ status: 400, code: 'captcha_failed' })
      expect(await signUp('guessed')).toMatchObject({ status: 400, code: 'captcha_failed' })
      expect(await signUp('solved')).toBeNull()
      expect(Object.fromEntries(asked[0] ?? [])).toMatchObject({
        secret: 'secret',
        response: 'guessed',
        remoteip: '127.0.0.1',
      })
      for (const path of [
        '%73ignup',
        'signup?x=1',
        'token?grant_type=%70assword',
        'sso',
        'passkeys/authentication/options',
      ]) {
        const answer = await fetch(`${guarded.url}/auth/v1/${path}`, { method: 'POST', body: '{}' })
        expect([path, await answer.json()]).toMatchObject([path, { error_code: 'captcha_failed' }])
      }
      const credentials = { email: 'a@example.com', password: 'correct horse' }
      expect((await guarded.client().auth.signInWithPassword(credentials)).error?.code).toBe('captcha_failed')
      expect((await guarded.service.auth.admin.createUser({ email: 'b@example.com' })).error).toBeNull()
      server.close()
      server.closeAllConnections()
      await eventually(async () => expect((await signUp('solved'))?.code).toBe('captcha_failed'))
    } finally {
      await guarded.close()
      server.close()
    }
  })
})
