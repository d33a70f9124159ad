import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../testing/gateway.ts'
import { codeOf, enroll } from '../testing/factors.ts'
import { codeIn, follow, linkIn, messageTo, otherThan, patient } from '../testing/mailbox.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway({
    env: {
      ...patient,
      AUTH_RATE_LIMIT_VERIFY: '5',
      AUTH_SMTP_MAX_FREQUENCY: '60',
      AUTH_RATE_LIMIT_FAILED_SIGN_IN: '4',
      AUTH_RATE_LIMIT_FAILED_SIGN_IN_PER_ACCOUNT: '10',
      AUTH_RATE_LIMIT_VERIFY_PER_ACCOUNT: '10',
      AUTH_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY: '6',
      AUTH_MFA_RATE_LIMIT_PER_ACCOUNT: '12',
      AUTH_RATE_LIMIT_EMAIL_SENT_PER_RECIPIENT: '3',
      AUTH_RATE_LIMIT_SIGN_UP: '5',
    },
  })
})
afterAll(() => gateway.close())

const password = 'correct horse battery'

async function account(name: string) {
  const email = `${name}@example.com`
  const { error } = await gateway.service.auth.admin.createUser({ email, password, email_confirm: true })
  expect(error).toBeNull()
  return { email, password }
}

/** The official client at an IP address, with the cookies that a browser would keep. */
function browser(address: string, cookies = new Map<string, string>()) {
  const client = createClient(gateway.url, gateway.secrets.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: {
      fetch: async (input, init) => {
        const headers = new Headers(init?.headers)
        headers.set('x-forwarded-for', address)
        headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
        const answer = await fetch(input, { ...init, headers })
        for (const cookie of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
          cookies.set(name, value)
        }
        return answer
      },
    },
  })
  return { auth: client.auth, cookies }
}

const tooMany = { status: 429, code: 'over_request_rate_limit' }

async function guessPasswords(email: string, address: string, count: number) {
  const errors = []
  for (let guess = 0; guess < count; guess++)
    errors.push((await browser(address).auth.signInWithPassword({ email, password: `guess ${guess}` })).error)
  return errors.filter((error) => error?.status === 429).length
}

describe("a stranger's guesses at a password", () => {
  it('use up their own attempts, counted per IPv6 network, and not the owner’s', async () => {
    const owner = await account('one')
    expect(await guessPasswords(owner.email, '198.51.100.7', 6)).toBe(2)
    expect((await browser('203.0.113.4').auth.signInWithPassword(owner)).error).toBeNull()
    let refused = 0
    for (let host = 1; host <= 6; host++) refused += await guessPasswords(owner.email, `2001:db8:1:1::${host}`, 1)
    expect(refused).toBe(2)
    expect((await browser('2001:db8:1:2::1').auth.signInWithPassword(owner)).error).toBeNull()
  })

  it("from many addresses meet the account's limit, which doesn't apply to a device that signed in before", async () => {
    const owner = await account('two')
    const home = browser('203.0.113.5')
    expect((await home.auth.signInWithPassword(owner)).error).toBeNull()
    for (let place = 1; place <= 3; place++) await guessPasswords(owner.email, `198.51.100.${place + 20}`, 4)
    expect((await browser('203.0.113.99').auth.signInWithPassword(owner)).error).toMatchObject(tooMany)
    expect((await browser('203.0.113.98', home.cookies).auth.signInWithPassword(owner)).error).toBeNull()
  })

  it("don't bypass the limit with a cookie of another account, or with a forged one", async () => {
    const owner = await account('three')
    const thief = await account('four')
    const own = browser('203.0.113.6')
    await own.auth.signInWithPassword(thief)
    for (let place = 1; place <= 3; place++) await guessPasswords(owner.email, `198.51.100.${place + 40}`, 4)
    const forged = new Map([['ovation-device', `${Math.floor(Date.now() / 1000) + 999}.${'A'.repeat(43)}`]])
    for (const cookies of [own.cookies, forged])
      expect((await browser('203.0.113.7', cookies).auth.signInWithPassword(owner)).error).toMatchObject(tooMany)
  })

  it("meet a separate limit for all devices that signed in before, which strangers can't use up", async () => {
    const owner = await account('eight')
    const hoarded = []
    for (let device = 0; device < 5; device++) {
      const one = browser('203.0.113.20')
      expect((await one.auth.signInWithPassword(owner)).error).toBeNull()
      hoarded.push(one.cookies)
    }
    const errors = []
    for (const cookies of hoarded)
      for (let guess = 0; guess < 3; guess++)
        errors.push(
          (await browser('203.0.113.21', cookies).auth.signInWithPassword({ ...owner, password: 'wrong' })).error,
        )
    expect(errors.filter((error) => error?.status === 429)).toHaveLength(5)
    expect((await browser('203.0.113.22').auth.signInWithPassword(owner)).error).toBeNull()
  })

  it("don't block the link in an email", async () => {
    const owner = await account('five')
    for (let place = 1; place <= 3; place++) await guessPasswords(owner.email, `198.51.100.${place + 60}`, 4)
    expect((await browser('203.0.113.8').auth.signInWithOtp({ email: owner.email })).error).toBeNull()
    const { fragment } = await follow(linkIn(await messageTo(gateway, owner.email)))
    expect(fragment.access_token).toMatch(/^ey/)
  })
})

describe("a stranger's guesses at a code", () => {
  it('leave the owner their own attempts, and the link', async () => {
    const owner = await account('six')
    const home = browser('203.0.113.9')
    await home.auth.signInWithPassword(owner)
    await home.auth.signInWithOtp({ email: owner.email })
    const mail = await messageTo(gateway, owner.email)
    const token = codeIn(mail)
    const guess = (address: string, typed: string, cookies?: Map<string, string>) =>
      browser(address, cookies).auth.verifyOtp({ email: owner.email, token: typed, type: 'email' })
    for (let tries = 0; tries < 12; tries++) await guess(`198.51.100.${tries + 80}`, otherThan(token))
    expect((await guess('203.0.113.10', token)).error).toMatchObject(tooMany)
    expect((await guess('203.0.113.11', token, home.cookies)).error).toBeNull()
  })

  it('are counted per IPv6 network', async () => {
    // Each at another account, so that only the limit of the guesser's own address counts.
    const guess = async (account: number, address: string) =>
      (await browser(address).auth.verifyOtp({ email: `nobody${account}@example.com`, token: '000000', type: 'email' }))
        .error?.status
    const statuses = []
    for (let host = 1; host <= 7; host++) statuses.push(await guess(host, `2001:db8:7:7::${host}`))
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429])
    expect(await guess(8, '2001:db8:7:8::1')).toBe(403)
  })

  it('of a second factor leave the owner theirs', async () => {
    const owner = await account('seconded')
    const client = gateway.client()
    await client.auth.signInWithPassword(owner)
    const { factorId, secret } = await enroll(client)
    await client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret, -1) })
    const stranger = browser('198.51.100.120')
    await stranger.auth.signInWithPassword(owner)
    const tries = []
    for (let turn = 0; turn < 4; turn++)
      tries.push((await stranger.auth.mfa.challengeAndVerify({ factorId, code: '000000' })).error?.status)
    expect(tries).toContain(429)
    const home = browser('203.0.113.12')
    await home.auth.signInWithPassword(owner)
    const { error } = await home.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret) })
    expect(error).toBeNull()
  })
})

describe('a password without the second factor', () => {
  it("doesn't make a device known, so repeated sign-ins give no more guesses", async () => {
    const owner = await account('seconded-too')
    const client = gateway.client()
    await client.auth.signInWithPassword(owner)
    const { factorId, secret } = await enroll(client)
    await client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret, -1) })
    const guessed = []
    for (let place = 0; place < 4; place++) {
      const thief = browser(`198.51.100.${place + 150}`)
      await thief.auth.signInWithPassword(owner)
      expect([...thief.cookies.keys()]).toEqual([])
      for (let turn = 0; turn < 3; turn++)
        guessed.push((await thief.auth.mfa.challengeAndVerify({ factorId, code: '000000' })).error?.status)
    }
    expect(guessed.filter((status) => status !== 429)).toHaveLength(5) // twelve attempts, a challenge and a code each; the enrollment used two
  })

  it("and with it makes the device known, which others can't block", async () => {
    const owner = await account('seconded-home')
    const home = browser('203.0.113.23')
    await home.auth.signInWithPassword(owner)
    const { factorId, secret } = await enroll(home)
    expect((await home.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret, -1) })).error).toBeNull()
    for (let place = 0; place < 4; place++) {
      const thief = browser(`198.51.100.${place + 160}`)
      await thief.auth.signInWithPassword(owner)
      for (let turn = 0; turn < 3; turn++) await thief.auth.mfa.challengeAndVerify({ factorId, code: '000000' })
    }
    const again = browser('203.0.113.24', home.cookies)
    await again.auth.signInWithPassword(owner)
    expect((await again.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret) })).error).toBeNull()
  })
})

describe('messages', () => {
  it("that a stranger requests don't use up the owner's requests, up to the recipient's limit", async () => {
    const { email } = await account('seven')
    const ask = (address: string) => browser(address).auth.resetPasswordForEmail(email)
    const over = { status: 429, code: 'over_email_send_rate_limit' }
    expect((await ask('198.51.100.130')).error).toBeNull()
    expect((await ask('198.51.100.130')).error).toMatchObject(over)
    expect((await ask('203.0.113.13')).error).toBeNull()
    expect((await ask('203.0.113.14')).error).toBeNull()
    expect((await ask('203.0.113.15')).error).toMatchObject(over)
  })

  it.each(['recover', 'otp'])('treat a second %s the same for known and unknown addresses', async (path) => {
    const { email } = await account(`known-by-${path}`)
    await browser('203.0.113.16').auth.resetPasswordForEmail(email) // the owner's own, which must not show
    const ask = async (to: string) => {
      const answer = await fetch(`${gateway.url}/auth/v1/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${path.length + 140}` },
        body: JSON.stringify({ email: to, create_user: false }),
      })
      return [answer.status, ((await answer.json()) as { error_code?: string }).error_code]
    }
    const unknown = `unknown-by-${path}@example.com`
    expect([await ask(email), await ask(email)]).toEqual([await ask(unknown), await ask(unknown)])
  })
})

it('limit sign-ups for an IPv6 network like for one address', async () => {
  const statuses = []
  for (let host = 1; host <= 7; host++) {
    const { error } = await browser(`2001:db8:9:9::${host}`).auth.signUp({ email: `new${host}@example.com`, password })
    statuses.push(error?.status ?? 200)
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
})
