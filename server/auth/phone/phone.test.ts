import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { parseConfig } from '../../config.ts'
import { startGateway, type TestGateway } from '../../testing/gateway.ts'
import { codeIn, countTo, messageTo, otherThan, patient } from '../testing/mailbox.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway({
    env: { ...patient, AUTH_EXTERNAL_PHONE_ENABLED: '1', AUTH_SMS_TEST_OTP: '15550009999=424242' },
  })
})
afterAll(() => gateway.close())

let serial = 1000
const freshPhone = () => `1555123${++serial}`
const password = 'correct horse'
const textTo = (phone: string, count?: number) => messageTo(gateway, `+${phone}`, count)

async function confirmed(phone = freshPhone()) {
  const client = gateway.client()
  await client.auth.signUp({ phone, password })
  const { data } = await client.auth.verifyOtp({ phone, token: codeIn(await textTo(phone)), type: 'sms' })
  return { client, phone, user: data.user ?? expect.unreachable() }
}

describe('accounts by phone', () => {
  it('are confirmed by a code, and then sign in with the password [API-AUTH-01] [API-AUTH-02] [API-AUTH-08]', async () => {
    const phone = freshPhone()
    const client = gateway.client()
    const { data, error } = await client.auth.signUp({
      phone: `+${phone}`,
      password,
      options: { data: { username: 'caller' } },
    })
    expect(error).toBeNull()
    expect([data.session, data.user?.phone, data.user?.app_metadata]).toEqual([
      null,
      phone,
      { provider: 'phone', providers: ['phone'] },
    ])
    expect((await client.auth.signInWithPassword({ phone, password })).error?.code).toBe('phone_not_confirmed')
    const token = codeIn(await textTo(phone))
    const wrong = await client.auth.verifyOtp({ phone, token: otherThan(token), type: 'sms' })
    expect(wrong.error?.code).toBe('otp_expired')
    const verified = await client.auth.verifyOtp({ phone, token, type: 'sms' })
    expect(verified.data.user).toMatchObject({ phone, phone_confirmed_at: expect.any(String) })
    expect((await gateway.client().auth.signInWithPassword({ phone, password })).data.user?.id).toBe(data.user?.id)
    expect((await client.auth.signInWithPassword({ phone, password: 'wrong horse' })).error?.code).toBe(
      'invalid_credentials',
    )
    expect((await client.auth.signInWithPassword({ phone: freshPhone(), password })).error?.code).toBe(
      'invalid_credentials',
    )
  })

  it("don't reveal whether a number is taken: the response looks new, and nothing is sent", async () => {
    const { phone, user } = await confirmed()
    const { data, error } = await gateway.client().auth.signUp({ phone, password: 'another horse' })
    expect(error).toBeNull()
    expect(data.user?.id).toEqual(expect.any(String))
    expect(data.user?.id).not.toBe(user.id)
    expect(await countTo(gateway, `+${phone}`)).toBe(1)
    expect((await gateway.client().auth.signInWithPassword({ phone, password })).error).toBeNull()
  })

  it('sign in with only a code, and can request it again [API-AUTH-07] [API-AUTH-10]', async () => {
    const phone = freshPhone()
    const client = gateway.client()
    expect((await client.auth.signInWithOtp({ phone })).error).toBeNull()
    await textTo(phone)
    expect((await client.auth.resend({ type: 'sms', phone })).error).toBeNull()
    const token = codeIn(await textTo(phone, 2))
    expect((await client.auth.verifyOtp({ phone, token, type: 'sms' })).data.session?.user.phone).toBe(phone)
    const unknown = freshPhone()
    expect((await client.auth.signInWithOtp({ phone: unknown, options: { shouldCreateUser: false } })).error).toBeNull()
    expect(await countTo(gateway, `+${unknown}`)).toBe(0)
  })

  it("keep no password that a stranger chose for someone else's number", async () => {
    for (const enter of ['by code', 'by sign-up'] as const) {
      const phone = freshPhone()
      await gateway.client().auth.signUp({ phone, password: 'chosen by a stranger' })
      await textTo(phone)
      const { auth } = gateway.client()
      await (enter === 'by code' ? auth.signInWithOtp({ phone }) : auth.signUp({ phone, password }))
      const token = codeIn(await textTo(phone, 2))
      expect((await auth.verifyOtp({ phone, token, type: 'sms' })).error).toBeNull()
      const guess = await gateway.client().auth.signInWithPassword({ phone, password: 'chosen by a stranger' })
      expect([enter, guess.error?.code]).toEqual([enter, 'invalid_credentials'])
    }
  })

  it('use the fixed code of a test number, to which nothing is sent', async () => {
    const phone = '15550009999'
    const client = gateway.client()
    await client.auth.signInWithOtp({ phone })
    await eventually(async () => {
      const { data } = await client.auth.verifyOtp({ phone, token: '424242', type: 'sms' })
      expect(data.session).not.toBeNull()
    })
    expect(await countTo(gateway, `+${phone}`)).toBe(0)
  })

  it('change their number once the new one is confirmed', async () => {
    const { client, phone } = await confirmed()
    const next = freshPhone()
    const { data } = await client.auth.updateUser({ phone: next })
    expect(data.user).toMatchObject({ phone, new_phone: next })
    await textTo(next)
    expect((await gateway.client().auth.resend({ type: 'phone_change', phone: next })).error).toBeNull()
    const token = codeIn(await textTo(next, 2))
    const verified = await client.auth.verifyOtp({ phone: next, token, type: 'phone_change' })
    expect(verified.data.user).toMatchObject({ phone: next, identities: [{ identity_data: { phone: next } }] })
    const taken = await confirmed()
    expect((await client.auth.updateUser({ phone: taken.phone })).error?.code).toBe('phone_exists')
  })

  it('get the code for a change by text message [API-AUTH-14]', async () => {
    const { client, phone } = await confirmed()
    expect((await client.auth.reauthenticate()).error).toBeNull()
    const nonce = codeIn(await textTo(phone, 2))
    expect((await client.auth.updateUser({ password: 'another horse', nonce: '0' })).error?.code).toBe(
      'reauthentication_not_valid',
    )
    expect((await client.auth.updateUser({ password: 'another horse', nonce })).error).toBeNull()
  })

  it('add an email address, which that address alone confirms', async () => {
    const { client } = await confirmed()
    const email = `phone${serial}@example.com`
    expect((await client.auth.updateUser({ email })).data.user).toMatchObject({ new_email: email })
    const token = codeIn(await messageTo(gateway, email))
    const { data } = await client.auth.verifyOtp({ email, token, type: 'email_change' })
    expect(data.user).toMatchObject({ email, app_metadata: { provider: 'phone', providers: ['phone', 'email'] } })
  })

  it('can be created and changed by an admin', async () => {
    const phone = freshPhone()
    const { data } = await gateway.service.auth.admin.createUser({ phone, password, phone_confirm: true })
    expect((await gateway.client().auth.signInWithPassword({ phone, password })).error).toBeNull()
    const next = freshPhone()
    const changed = await gateway.service.auth.admin.updateUserById(data.user?.id ?? '', { phone: next })
    expect(changed.data.user).toMatchObject({ phone: next, phone_confirmed_at: expect.any(String) })
    expect((await gateway.service.auth.admin.createUser({ phone: next })).error?.code).toBe('phone_exists')
  })

  it.each(['0123456789', '12', 'call me', '1'.repeat(16)])('refuse the number %j', async (phone) => {
    expect((await gateway.client().auth.signUp({ phone, password })).error?.code).toBe('validation_failed')
  })
})

describe('text messages', () => {
  let server: Server
  let requests: { request: IncomingMessage; body: string }[] = []
  let status = 200
  let base = ''
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        requests.push({ request, body })
        response.writeHead(status).end('{}')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => void server.close())

  it("go to the operator's hook with a signature, and a sign-up whose message is rejected leaves nothing", async () => {
    const secret = Buffer.from('a secret of the operator').toString('base64')
    const hooked = await startGateway({
      env: { ...patient, AUTH_HOOK_SEND_SMS_URI: `${base}/sms`, AUTH_HOOK_SEND_SMS_SECRETS: `v1,whsec_${secret}` },
    })
    try {
      requests = []
      const phone = freshPhone()
      await hooked.client().auth.signUp({ phone, password })
      const { request, body } = requests[0] ?? expect.unreachable()
      const { user, sms } = JSON.parse(body)
      expect(user).toEqual({ id: expect.any(String), phone })
      const signed = `${request.headers['webhook-id']}.${request.headers['webhook-timestamp']}.${body}`
      const expected = createHmac('sha256', 'a secret of the operator').update(signed).digest('base64')
      expect(request.headers['webhook-signature']).toBe(`v1,${expected}`)
      const verified = await hooked.client().auth.verifyOtp({ phone, token: sms.otp, type: 'sms' })
      expect(verified.error).toBeNull()

      status = 500
      const refused = freshPhone()
      expect((await hooked.client().auth.signUp({ phone: refused, password })).error?.code).toBe('sms_send_failed')
      expect(await hooked.query('select from auth.users where phone = $1', [refused])).toHaveLength(0)
    } finally {
      status = 200
      await hooked.close()
    }
  })

  it("go to Twilio's Messages resource", async () => {
    const twilio = await startGateway({
      env: {
        ...patient,
        AUTH_SMS_TWILIO_ACCOUNT_SID: 'AC1',
        AUTH_SMS_TWILIO_AUTH_TOKEN: 'token',
        AUTH_SMS_TWILIO_MESSAGE_SERVICE_SID: 'MG1',
        AUTH_SMS_TWILIO_API_BASE: base,
      },
    })
    try {
      requests = []
      const phone = freshPhone()
      await twilio.client().auth.signUp({ phone, password })
      const { request, body } = requests[0] ?? expect.unreachable()
      expect(request.url).toBe('/2010-04-01/Accounts/AC1/Messages.json')
      expect(request.headers.authorization).toBe(`Basic ${Buffer.from('AC1:token').toString('base64')}`)
      expect(Object.fromEntries(new URLSearchParams(body))).toMatchObject({
        To: `+${phone}`,
        MessagingServiceSid: 'MG1',
      })
    } finally {
      await twilio.close()
    }
  })

  it('are paused between two to one number', async () => {
    const pausing = await startGateway({
      env: { ...patient, AUTH_SMS_MAX_FREQUENCY: '60', AUTH_EXTERNAL_PHONE_ENABLED: '1' },
    })
    try {
      const phone = freshPhone()
      const ask = () => pausing.client().auth.signInWithOtp({ phone, options: { shouldCreateUser: false } })
      expect((await ask()).error).toBeNull()
      expect((await ask()).error).toMatchObject({ status: 429, code: 'over_sms_send_rate_limit' })
    } finally {
      await pausing.close()
    }
  })

  it('require a sender in production, and reject invalid settings', () => {
    for (const [env, name] of [
      [{ NODE_ENV: 'production', AUTH_EXTERNAL_PHONE_ENABLED: '1' }, 'AUTH_EXTERNAL_PHONE_ENABLED'],
      [{ AUTH_SMS_TEST_OTP: 'nonsense' }, 'AUTH_SMS_TEST_OTP'],
      [{ AUTH_HOOK_SEND_SMS_URI: 'https://a.example' }, 'AUTH_HOOK_SEND_SMS_SECRETS'],
      [{ AUTH_SMS_TWILIO_ACCOUNT_SID: 'AC1' }, 'AUTH_SMS_TWILIO_AUTH_TOKEN'],
    ] as const) {
      expect(() => parseConfig(env)).toThrow(name)
    }
  })
})
