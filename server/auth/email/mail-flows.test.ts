import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listOutbox } from '../../mail/outbox.ts'
import { startGateway, type TestGateway } from '../../testing/gateway.ts'
import { codeIn, emailLinkIn, follow, linkIn, messageTo, otherThan, pkceClient } from '../testing/mailbox.ts'
import { recordMethods } from '../testing/record-methods.ts'

const methods = recordMethods()

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway({
    env: {
      AUTH_MAILER_AUTOCONFIRM: '0',
      AUTH_SMTP_MAX_FREQUENCY: '0',
      AUTH_RATE_LIMIT_EMAIL_SENT: '1000',
      AUTH_RATE_LIMIT_VERIFY: '1000',
      AUTH_URI_ALLOW_LIST: 'https://app.example.com/**',
      ADMIN_EMAIL: 'boss@example.com',
    },
  })
})
afterAll(() => gateway.close())

let serial = 0
const freshEmail = () => `person${++serial}@example.com`
const password = 'correct horse'

const mailsTo = async (email: string) => (await listOutbox(gateway.dataDir)).filter(({ to }) => to === email)
const mailTo = (email: string, count = 1) => messageTo(gateway, email, count)

async function signUp(
  email: string,
  options: { emailRedirectTo?: string; data?: object } = {},
  client = gateway.client(),
) {
  const { data, error } = await client.auth.signUp({ email, password, options })
  expect(error).toBeNull()
  expect(data.session).toBeNull()
  return data.user
}

async function confirmed(email = freshEmail()) {
  await signUp(email)
  await follow(linkIn(await mailTo(email)))
  const client = gateway.client()
  const { data } = await client.auth.signInWithPassword({ email, password })
  return { client, email, userId: data.user?.id ?? expect.unreachable() }
}

describe('sign-up with confirmation', () => {
  it('takes email, password, names, and the creator flag, and leads back to the root of the site [API-AUTH-01]', async () => {
    const email = freshEmail()
    const data = { username: 'grace', display_name: 'Grace', is_creator: true }
    const user = await signUp(email, { emailRedirectTo: `${gateway.url}/`, data })
    expect(user?.user_metadata).toMatchObject(data)
    const { target } = await follow(linkIn(await mailTo(email)))
    expect(target.href.split('#')[0]).toBe(`${gateway.url}/`)
    expect((await gateway.client().auth.signInWithPassword({ email, password })).error).toBeNull()
    expect(
      await gateway.query('select username, display_name, is_creator from private.profiles where user_id = $1', [
        user?.id,
      ]),
    ).toEqual([data])
  })

  it('returns a user without a session, and the emailed link signs in [AUTH-16] [AUTH-17] [API-AUTH-08] [D19]', async () => {
    const email = freshEmail()
    const user = await signUp(email, {
      emailRedirectTo: `${gateway.url}/welcome?x=1`,
      data: { username: 'confirm-me' },
    })
    expect(user).toMatchObject({ email, confirmation_sent_at: expect.any(String), identities: [{ provider: 'email' }] })
    expect(user?.email_confirmed_at).toBeUndefined()
    expect((await gateway.client().auth.signInWithPassword({ email, password })).error?.code).toBe(
      'email_not_confirmed',
    )

    const mail = await mailTo(email)
    expect(mail.subject).toBe('Confirm your email for Ovation')
    expect(emailLinkIn(mail)).toMatch(`${gateway.url}/auth/link#token=`)
    const { status, target, fragment } = await follow(linkIn(mail))
    expect(status).toBe(303)
    expect(target.href.split('#')[0]).toBe(`${gateway.url}/welcome?x=1`)
    expect(fragment).toMatchObject({ type: 'signup', token_type: 'bearer', expires_in: '3600' })
    const client = gateway.client()
    const { data } = await client.auth.setSession({
      access_token: fragment.access_token ?? '',
      refresh_token: fragment.refresh_token ?? '',
    })
    expect(data.user).toMatchObject({ id: user?.id, email_confirmed_at: expect.any(String) })
    expect(data.user?.identities?.[0]?.identity_data).toMatchObject({ email_verified: true })
  })

  it('rejects the link the second time, and tells the app why', async () => {
    const email = freshEmail()
    await signUp(email)
    const mail = await mailTo(email)
    const link = linkIn(mail)
    // An email scanner opens what it finds, and spends nothing.
    for (const method of ['HEAD', 'GET']) await fetch(emailLinkIn(mail), { method })
    expect((await fetch(link, { method: 'HEAD', redirect: 'manual' })).status).toBe(404)
    expect((await follow(link)).fragment.access_token).toBeDefined()
    expect((await follow(link)).fragment).toEqual({
      error: 'access_denied',
      error_code: 'otp_expired',
      error_description: 'Email link is invalid or has expired',
    })
  })

  it('accepts the code for the address, once, and no other code', async () => {
    const email = freshEmail()
    await signUp(email)
    const code = codeIn(await mailTo(email))
    const verify = (token: string, to = email) => gateway.client().auth.verifyOtp({ email: to, token, type: 'signup' })
    const refused = { status: 403, code: 'otp_expired', message: 'Token has expired or is invalid' }
    expect((await verify(otherThan(code))).error).toMatchObject(refused)
    expect((await verify(code, 'other@example.com')).error).toMatchObject(refused)
    expect((await gateway.client().auth.verifyOtp({ email, token: code, type: 'recovery' })).error).toMatchObject(
      refused,
    )
    expect((await verify(code)).data.session?.user.email).toBe(email)
    expect((await verify(code)).error).toMatchObject(refused)
  })

  it('accepts the hash of the link, and rejects it if it is too old', async () => {
    const email = freshEmail()
    await signUp(email)
    const token_hash = new URL(linkIn(await mailTo(email))).searchParams.get('token') ?? ''
    await gateway.query(
      `update auth.one_time_tokens set created_at = now() - interval '61 minutes' where relates_to = $1`,
      [email],
    )
    expect((await gateway.client().auth.verifyOtp({ token_hash, type: 'email' })).error).toMatchObject({
      code: 'otp_expired',
    })
    await gateway.query(
      `update auth.one_time_tokens set created_at = now() - interval '59 minutes' where relates_to = $1`,
      [email],
    )
    expect((await gateway.client().auth.verifyOtp({ token_hash, type: 'email' })).error).toBeNull()
  })

  it('stores neither link nor code', async () => {
    const email = freshEmail()
    await signUp(email)
    const mail = await mailTo(email)
    const [row] = await gateway.query<{ row: string }>(
      'select to_jsonb(t)::text as row from auth.one_time_tokens t where relates_to = $1',
      [email],
    )
    expect(row?.row).not.toContain(new URL(linkIn(mail)).searchParams.get('token'))
    expect(row?.row).not.toContain(`"${codeIn(mail)}"`)
  })

  it('sends another email on request, whose link replaces the first [API-AUTH-10]', async () => {
    const email = freshEmail()
    await signUp(email)
    const first = linkIn(await mailTo(email))
    expect((await gateway.client().auth.resend({ type: 'signup', email })).error).toBeNull()
    const second = linkIn(await mailTo(email, 2))
    expect((await follow(first)).fragment.error_code).toBe('otp_expired')
    expect((await follow(second)).fragment.access_token).toBeDefined()
  })

  it("doesn't reveal whether an address has an account: the response looks new, and the owner gets an email", async () => {
    const { email, userId } = await confirmed()
    const sentBefore = (await mailsTo(email)).length
    const again = await signUp(email, { data: { username: 'somebody-else' } })
    expect(again).toMatchObject({
      id: expect.any(String),
      email,
      confirmation_sent_at: expect.any(String),
      identities: [],
    })
    expect(again?.id).not.toBe(userId)
    expect((await mailTo(email, sentBefore + 1)).subject).toBe('Your Ovation account')
    const { error } = await gateway.client().auth.signInWithPassword({ email, password })
    expect(error).toBeNull()
  })

  it('rejects a taken username for known and unknown addresses alike [AUTH-10]', async () => {
    await signUp(freshEmail(), { data: { username: 'holder' } })
    const { email } = await confirmed()
    for (const address of [email, freshEmail()]) {
      const { error } = await gateway
        .client()
        .auth.signUp({ email: address, password, options: { data: { username: 'holder' } } })
      expect(error).toMatchObject({ status: 422, code: 'username_taken' })
    }
  })

  it("keeps the first sign-up's choices if someone signs up again before the confirmation", async () => {
    const email = freshEmail()
    await signUp(email, { data: { username: 'first-choice' } })
    await mailTo(email)
    const again = await gateway.client().auth.signUp({ email, password: 'of somebody else' })
    expect(again.data.user?.identities).toEqual([])
    const { fragment } = await follow(linkIn(await mailTo(email, 2)))
    expect(fragment).toMatchObject({ type: 'recovery', access_token: expect.any(String) })
    const [profile] = await gateway.query(
      'select username from public.profiles p join auth.users u on u.id = p.user_id where u.email = $1',
      [email],
    )
    expect(profile).toEqual({ username: 'first-choice' })
  })

  it.each([['the second email'], ['a resent email']])(
    'keeps no password from before the owner came: %s leads to choosing one',
    async (which) => {
      const email = freshEmail()
      await signUp(email)
      const first = linkIn(await mailTo(email))
      await gateway.client().auth.signUp({ email, password: 'of the second one' })
      let link = linkIn(await mailTo(email, 2))
      if (which !== 'the second email') {
        await gateway.client().auth.resend({ type: 'signup', email })
        link = linkIn(await mailTo(email, 3))
      }
      expect((await follow(first)).fragment).toMatchObject({ error_code: 'otp_expired' })
      expect((await follow(link)).fragment).toMatchObject({ type: 'recovery' })
      for (const tried of [password, 'of the second one']) {
        expect((await gateway.client().auth.signInWithPassword({ email, password: tried })).error?.code).toBe(
          'invalid_credentials',
        )
      }
    },
  )

  it('makes ADMIN_EMAIL an admin once the address is confirmed, not before [GEN-43]', async () => {
    await signUp('boss@example.com')
    expect(await gateway.query('select from public.user_roles')).toHaveLength(0)
    await follow(linkIn(await mailTo('boss@example.com')))
    expect(await gateway.query('select role from public.user_roles')).toEqual([{ role: 'admin' }])
  })
})

describe('redirects', () => {
  it.each([
    ['https://app.example.com/after', 'https://app.example.com/after'],
    ['https://evil.example.com/', ''],
    ['https://app.example.com.evil.com/', ''],
    ['//evil.example.com', ''],
    ['javascript:alert(1)', ''],
    ['http://user:pass@127.0.0.1/', ''],
    ['not a url', ''],
  ])('redirects %s only if it is allowed', async (emailRedirectTo, expected) => {
    const email = freshEmail()
    await signUp(email, { emailRedirectTo })
    const { target } = await follow(linkIn(await mailTo(email)))
    expect(target.href.split('#')[0]).toBe(expected || `${gateway.url}/`)
  })

  it('checks again if the link is followed with a changed redirect', async () => {
    const email = freshEmail()
    await signUp(email)
    const link = new URL(linkIn(await mailTo(email)))
    link.searchParams.set('redirect_to', 'https://evil.example.com/')
    expect((await follow(link.href)).target.origin).toBe(gateway.url)
  })
})

describe('password recovery', () => {
  it('lets the owner choose a new password and ends the other sessions [AUTH-20] [API-AUTH-09] [API-AUTH-13]', async () => {
    const { client, email } = await confirmed()
    const sent = (await mailsTo(email)).length
    expect((await gateway.client().auth.resetPasswordForEmail(email)).error).toBeNull()
    const { fragment } = await follow(linkIn(await mailTo(email, sent + 1)))
    expect(fragment.type).toBe('recovery')
    const owner = gateway.client()
    await owner.auth.setSession({
      access_token: fragment.access_token ?? '',
      refresh_token: fragment.refresh_token ?? '',
    })
    expect((await owner.auth.updateUser({ password: 'a new beginning' })).error).toBeNull()
    expect((await owner.auth.getUser()).error).toBeNull()
    expect((await client.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
    expect((await gateway.client().auth.signInWithPassword({ email, password })).error?.code).toBe(
      'invalid_credentials',
    )
    expect((await gateway.client().auth.signInWithPassword({ email, password: 'a new beginning' })).error).toBeNull()
  })

  it('responds the same for an unknown address, and sends nothing', async () => {
    const known = await confirmed()
    const answers = await Promise.all(
      [known.email, 'nobody@example.com'].map((email) => gateway.client().auth.resetPasswordForEmail(email)),
    )
    expect(answers[0]).toEqual({ data: {}, error: null })
    expect(answers[1]).toEqual(answers[0])
    await mailTo(known.email, 2)
    expect(await mailsTo('nobody@example.com')).toHaveLength(0)
  })

  it('returns to the browser that asked if it sent a code challenge [AUTH-20] [API-AUTH-04]', async () => {
    const { email, userId } = await confirmed()
    const asking = pkceClient(gateway)
    expect(
      (await asking.auth.resetPasswordForEmail(email, { redirectTo: `${gateway.url}/settings?tab=a` })).error,
    ).toBeNull()
    const { target } = await follow(linkIn(await mailTo(email, 2)))
    expect(target.hash).toBe('')
    expect(target.searchParams.get('tab')).toBe('a')
    const code = target.searchParams.get('code') ?? ''

    const stranger = await exchange(code, 'v'.repeat(50))
    expect(stranger).toMatchObject({ status: 400, body: { error_code: 'bad_code_verifier' } })
    await gateway.query(`update auth.flow_state set code_challenge_method = 'plain' where user_id = $1`, [userId])
    const inOtherCharacters = await exchange(code, 'é'.repeat(43)) // the same length, but more bytes
    expect(inOtherCharacters).toMatchObject({ status: 400, body: { error_code: 'bad_code_verifier' } })
    await gateway.query(`update auth.flow_state set code_challenge_method = 's256' where user_id = $1`, [userId])
    const { data, error } = await asking.auth.exchangeCodeForSession(code)
    expect(error).toBeNull()
    expect(data.user?.id).toBe(userId)
    expect(await exchange(code, 'v'.repeat(50))).toMatchObject({
      status: 422,
      body: { error_code: 'flow_state_not_found' },
    })
  })

  it('rejects an expired code and an incomplete challenge', async () => {
    const { email } = await confirmed()
    const asking = pkceClient(gateway)
    await asking.auth.resetPasswordForEmail(email)
    const { target } = await follow(linkIn(await mailTo(email, 2)))
    await gateway.query(`update auth.flow_state set auth_code_issued_at = now() - interval '301 seconds'`)
    const late = await asking.auth.exchangeCodeForSession(target.searchParams.get('code') ?? '')
    expect(late.error).toMatchObject({ status: 403, code: 'flow_state_expired' })
    const response = await fetch(`${gateway.url}/auth/v1/recover`, {
      method: 'POST',
      body: JSON.stringify({ email, code_challenge: 'c'.repeat(50) }),
    })
    expect(response.status).toBe(400)
  })

  async function exchange(auth_code: string, code_verifier: string) {
    const response = await fetch(`${gateway.url}/auth/v1/token?grant_type=pkce`, {
      method: 'POST',
      body: JSON.stringify({ auth_code, code_verifier }),
    })
    return { status: response.status, body: await response.json() }
  }
})

describe('a new address', () => {
  const change = (client: SupabaseClient, email: string) => client.auth.updateUser({ email })

  it('must be confirmed at the old and at the new one', async () => {
    const { client, email } = await confirmed()
    const next = freshEmail()
    expect((await change(client, next)).data.user).toMatchObject({ email, new_email: next })
    const first = await follow(linkIn(await mailTo(next)))
    expect(first.fragment.message).toMatch('confirm link sent to the other email')
    expect((await client.auth.getUser()).data.user?.email).toBe(email)
    const second = await follow(linkIn(await mailTo(email, 2)))
    expect(second.fragment.type).toBe('email_change')
    const { data } = await client.auth.getUser()
    expect(data.user).toMatchObject({ email: next, identities: [{ email: next }] })
    expect(data.user?.new_email).toBeUndefined()
    expect((await gateway.client().auth.signInWithPassword({ email: next, password })).error).toBeNull()
    expect((await gateway.client().auth.signInWithPassword({ email, password })).error?.code).toBe(
      'invalid_credentials',
    )
  })

  it('can be confirmed by codes, in either order', async () => {
    const { client, email } = await confirmed()
    const next = freshEmail()
    await change(client, next)
    const verify = async (address: string, count: number) =>
      gateway
        .client()
        .auth.verifyOtp({ email: address, token: codeIn(await mailTo(address, count)), type: 'email_change' })
    expect((await verify(email, 2)).data).toEqual({ user: null, session: null })
    expect((await verify(next, 1)).data.user?.email).toBe(next)
  })

  it("can't be forced by confirming twice from the old address, or by a link for an earlier request", async () => {
    const { client, email, userId } = await confirmed()
    const victim = freshEmail()
    for (const count of [2, 3]) {
      await change(client, victim)
      const { fragment } = await follow(linkIn(await mailTo(email, count)))
      expect(fragment.message).toMatch('confirm link sent to the other email')
    }
    expect((await client.auth.getUser()).data.user?.email).toBe(email)

    const own = freshEmail()
    await change(client, own)
    const ownLink = linkIn(await mailTo(own))
    await gateway.query('update auth.users set email_change = $1 where id = $2', [victim, userId])
    expect((await follow(ownLink)).fragment.error_code).toBe('otp_expired')
    expect((await client.auth.getUser()).data.user?.email).toBe(email)
  })

  it('is rejected if it is taken, at once or by the time it is confirmed', async () => {
    const other = await confirmed()
    const { client, email } = await confirmed()
    expect((await change(client, other.email)).error).toMatchObject({ status: 422, code: 'email_exists' })
    const next = freshEmail()
    await change(client, next)
    await follow(linkIn(await mailTo(email, 2)))
    const link = linkIn(await mailTo(next))
    await signUp(next)
    expect((await follow(link)).fragment.error_code).toBe('email_exists')
    expect((await client.auth.getUser()).data.user?.email).toBe(email)
  })
})

describe('reauthentication', () => {
  it('sends a code that works for one change [API-AUTH-14]', async () => {
    const { client, email } = await confirmed()
    expect((await client.auth.reauthenticate()).error).toBeNull()
    const nonce = /(\d{6})/.exec((await mailTo(email, 2)).subject)?.[1] ?? ''
    const update = (code: string, next: string) => client.auth.updateUser({ password: next, nonce: code })
    expect((await update(otherThan(nonce), 'next password')).error).toMatchObject({
      status: 422,
      code: 'reauthentication_not_valid',
    })
    expect((await update(nonce, 'next password')).error).toBeNull()
    expect((await update(nonce, 'one after that')).error).toMatchObject({ code: 'reauthentication_not_valid' })
    expect((await gateway.client().auth.signInWithPassword({ email, password: 'next password' })).error).toBeNull()
  })

  it('or the old password is required for a new one if the sign-in is older than a day [API-AUTH-13, API-AUTH-14, SET-08]', async () => {
    const { client, email, userId } = await confirmed()
    await gateway.query(`update auth.sessions set created_at = now() - interval '25 hours' where user_id = $1`, [
      userId,
    ])
    const next = { password: 'next password' }
    const needed = { status: 400, code: 'reauthentication_needed' }
    expect((await client.auth.updateUser(next)).error).toMatchObject(needed)
    expect((await client.auth.updateUser({ ...next, nonce: '' })).error).toMatchObject(needed)
    expect((await client.auth.updateUser({ ...next, current_password: 'a guess' })).error?.code).toBe(
      'invalid_credentials',
    )
    expect((await client.auth.updateUser({ data: { color: 'red' } })).error).toBeNull() // harmless changes need no proof
    expect((await gateway.client().auth.signInWithPassword({ email, password })).error).toBeNull()
    expect((await client.auth.updateUser({ ...next, current_password: password })).error).toBeNull()
    expect((await client.auth.reauthenticate()).error).toBeNull()
    const nonce = /(\d{6})/.exec((await mailTo(email, 2)).subject)?.[1] ?? ''
    expect((await client.auth.updateUser({ password: 'one after that', nonce })).error).toBeNull()
    await gateway.query('delete from auth.sessions where user_id = $1', [userId])
    expect((await client.auth.reauthenticate()).error?.name).toBe('AuthSessionMissingError')
  })
})

describe('limits', () => {
  it('pauses between emails to one address, known or not, and counts guesses at a code', async () => {
    const strict = await startGateway({ env: { AUTH_MAILER_AUTOCONFIRM: '0', AUTH_RATE_LIMIT_VERIFY: '3' } })
    try {
      const { auth } = strict.client()
      await auth.signUp({ email: 'a@example.com', password })
      const over = {
        status: 429,
        code: 'over_email_send_rate_limit',
        message: expect.stringMatching(/only request this after \d+ seconds/),
      }
      expect((await auth.resend({ type: 'signup', email: 'a@example.com' })).error).toMatchObject(over)
      expect((await auth.resetPasswordForEmail('unknown@example.com')).error).toBeNull()
      expect((await auth.resetPasswordForEmail('unknown@example.com')).error).toMatchObject(over)
      const guess = () => auth.verifyOtp({ email: 'a@example.com', token: '000000', type: 'signup' })
      for (let tries = 0; tries < 3; tries++) expect((await guess()).error?.code).toBe('otp_expired')
      expect((await guess()).error).toMatchObject({ status: 429, code: 'over_request_rate_limit' })
    } finally {
      await strict.close()
    }
  })
})

it('calls every client method assigned to it, with success and with an error', () => methods.expectDriven('mail-flows'))
