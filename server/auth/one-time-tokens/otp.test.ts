import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../../config.ts'
import { startGateway, type TestGateway } from '../../testing/gateway.ts'
import { codeIn, countTo, follow, linkIn, messageTo, otherThan, patient, pkceClient } from '../testing/mailbox.ts'
import { recordMethods } from '../testing/record-methods.ts'

const methods = recordMethods()

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway({ env: patient })
})
afterAll(() => gateway.close())

let serial = 0
const freshEmail = () => `otp${++serial}@example.com`

describe('sign-in by link or code', () => {
  it('creates an account for a new address, which the link confirms [API-AUTH-07] [API-AUTH-08]', async () => {
    const email = freshEmail()
    const { error } = await gateway
      .client()
      .auth.signInWithOtp({ email, options: { data: { username: 'by-link', display_name: 'Link' } } })
    expect(error).toBeNull()
    const mail = await messageTo(gateway, email)
    expect(mail.subject).toBe('Your Ovation sign-in link')
    const { fragment } = await follow(linkIn(mail))
    expect(fragment).toMatchObject({ type: 'signup', access_token: expect.any(String) })
    const { data } = await gateway.anon.auth.getUser(fragment.access_token)
    expect(data.user).toMatchObject({ email, email_confirmed_at: expect.any(String) })
    expect(await gateway.query('select username from public.profiles where user_id = $1', [data.user?.id])).toEqual([
      { username: 'by-link' },
    ])
  })

  it('accepts the code for the address as type email, once', async () => {
    const email = freshEmail()
    const client = gateway.client()
    await client.auth.signInWithOtp({ email })
    const token = codeIn(await messageTo(gateway, email))
    const wrong = await client.auth.verifyOtp({ email, token: otherThan(token), type: 'email' })
    expect(wrong.error?.code).toBe('otp_expired')
    const { data } = await client.auth.verifyOtp({ email, token, type: 'email' })
    expect(data.session?.user.email).toBe(email)
    expect((await client.auth.verifyOtp({ email, token, type: 'email' })).error?.code).toBe('otp_expired')

    await client.auth.signInWithOtp({ email })
    const mail = await messageTo(gateway, email, 2)
    expect(new URL(linkIn(mail)).searchParams.get('type')).toBe('magiclink')
    const again = await client.auth.verifyOtp({ email, token: codeIn(mail), type: 'magiclink' })
    expect(again.data.user?.id).toBe(data.user?.id)
  })

  it('returns to the browser that asked if it sent a code challenge [AUTH-20]', async () => {
    const email = freshEmail()
    const client = pkceClient(gateway)
    await client.auth.signInWithOtp({ email, options: { emailRedirectTo: `${gateway.url}/back` } })
    const { target, fragment } = await follow(linkIn(await messageTo(gateway, email)))
    expect(fragment.access_token).toBeUndefined()
    const code = target.searchParams.get('code') ?? ''
    expect((await pkceClient(gateway).auth.exchangeCodeForSession(code)).error).not.toBeNull()
    expect((await client.auth.exchangeCodeForSession(code)).data.user?.email).toBe(email)
  })

  it('responds the same if no account may be created, and neither creates one nor sends', async () => {
    const email = freshEmail()
    const { error } = await gateway.client().auth.signInWithOtp({ email, options: { shouldCreateUser: false } })
    expect(error).toBeNull()
    expect(await countTo(gateway, email)).toBe(0)
    expect(await gateway.query('select from auth.users where email = $1', [email])).toHaveLength(0)
  })

  it('sends immediately, and rejects an invalid or taken username', async () => {
    const email = freshEmail()
    const ask = (username: string) => gateway.client().auth.signInWithOtp({ email, options: { data: { username } } })
    expect((await ask('by-link')).error?.code).toBe('username_taken')
    expect((await ask('x')).error?.code).toBe('validation_failed')
    expect(await countTo(gateway, email)).toBe(0)
  })

  it("removes a password that a stranger chose for someone else's address", async () => {
    const email = freshEmail()
    const password = 'chosen by a stranger'
    await gateway.client().auth.signUp({ email, password })
    await messageTo(gateway, email)
    await gateway.client().auth.signInWithOtp({ email })
    const { fragment } = await follow(linkIn(await messageTo(gateway, email, 2)))
    expect(fragment.access_token).toBeDefined()
    expect((await gateway.client().auth.signInWithPassword({ email, password })).error?.code).toBe(
      'invalid_credentials',
    )
  })

  it('rejects a banned user', async () => {
    const email = freshEmail()
    const { data } = await gateway.service.auth.admin.createUser({ email, email_confirm: true })
    await gateway.service.auth.admin.updateUserById(data.user?.id ?? '', { ban_duration: '1h' })
    await gateway.client().auth.signInWithOtp({ email })
    const { fragment } = await follow(linkIn(await messageTo(gateway, email)))
    expect(fragment).toMatchObject({ error_code: 'user_banned' })
  })

  it('requires an address or a number, but not both', async () => {
    for (const body of [{}, { email: 'a@b.de', phone: '15551234567' }, { email: 'nonsense' }, { create_user: 'yes' }]) {
      const response = await fetch(`${gateway.url}/auth/v1/otp`, { method: 'POST', body: JSON.stringify(body) })
      expect([response.status, await response.json()]).toMatchObject([400, { error_code: 'validation_failed' }])
    }
  })
})

describe('the confirmation of a new address', () => {
  it('is sent again to both addresses [API-AUTH-10]', async () => {
    const email = freshEmail()
    const next = freshEmail()
    const { data } = await gateway.service.auth.admin.createUser({
      email,
      password: 'correct horse',
      email_confirm: true,
    })
    const client = gateway.client()
    await client.auth.signInWithPassword({ email, password: 'correct horse' })
    await client.auth.updateUser({ email: next })
    await messageTo(gateway, next)
    expect((await gateway.client().auth.resend({ type: 'email_change', email: next })).error).toBeNull()
    await follow(linkIn(await messageTo(gateway, next, 2)))
    await follow(linkIn(await messageTo(gateway, email, 2)))
    expect((await gateway.service.auth.admin.getUserById(data.user?.id ?? '')).data.user?.email).toBe(next)
    expect((await gateway.client().auth.resend({ type: 'email_change', email: 'nobody@example.com' })).error).toBeNull()
    expect(await countTo(gateway, 'nobody@example.com')).toBe(0)
  })
})

describe("an operator's own templates", () => {
  it('replace subject and body of an email, and never let an address inject HTML', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ovation-templates-'))
    const file = join(folder, 'magic-link.html')
    writeFileSync(
      file,
      '<p>Hi {{ .Email }}, {{.Token}} or <a href="{{ .ConfirmationURL }}">come in</a>{{ .Nothing }}</p>',
    )
    const worded = await startGateway({
      env: {
        ...patient,
        AUTH_MAILER_SUBJECTS_MAGIC_LINK: 'Come in, {{ .Email }}',
        AUTH_MAILER_TEMPLATES_MAGIC_LINK: file,
      },
    })
    try {
      const email = `o'neil&co${++serial}@example.com`
      await worded.client().auth.signInWithOtp({ email })
      const mail = await messageTo(worded, email)
      expect(mail.subject).toBe(`Come in, ${email}`)
      expect(mail.html).toMatch(
        /^<p>Hi o&#39;neil&amp;co\d+@example.com, \d{6} or <a href="http[^"]+&amp;type=signup[^"]*">come in<\/a><\/p>$/,
      )
      expect(mail.text).toContain(codeIn(mail))
    } finally {
      await worded.close()
      rmSync(folder, { recursive: true })
    }
  })

  it('are read at the start, which reports missing ones', () => {
    expect(() => parseConfig({ AUTH_MAILER_TEMPLATES_RECOVERY: '/nowhere.html' })).toThrow(
      'AUTH_MAILER_TEMPLATES_RECOVERY',
    )
  })
})

it('calls every client method assigned to it, with success and with an error', () => methods.expectDriven('otp'))
