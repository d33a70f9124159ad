import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../testing/gateway.ts'
import { codeIn, messageTo, patient } from '../testing/mailbox.ts'
import { recordMethods } from '../testing/record-methods.ts'

const methods = recordMethods()

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway({
    env: { ...patient, AUTH_EXTERNAL_ANONYMOUS_USERS_ENABLED: '1', AUTH_RATE_LIMIT_ANONYMOUS_USERS: '5' },
  })
})
afterAll(() => gateway.close())

describe('an anonymous account', () => {
  it('has a session and a profile, and its token says that it is anonymous', async () => {
    const client = gateway.client()
    const { data } = await client.auth.signInAnonymously({ options: { data: { theme: 'dark' } } })
    expect(data.user).toMatchObject({
      is_anonymous: true,
      email: '',
      user_metadata: { theme: 'dark' },
      app_metadata: {},
    })
    const claims = decodeJwt(data.session?.access_token ?? '')
    expect(claims).toMatchObject({ is_anonymous: true, role: 'authenticated', amr: [{ method: 'anonymous' }] })
    expect(
      (
        await client
          .from('profiles')
          .select('id')
          .eq('user_id', data.user?.id ?? '')
      ).data,
    ).toHaveLength(1)
    expect((await client.auth.refreshSession()).error).toBeNull()
  })

  it("becomes a user's once an address is confirmed, and can then have a password", async () => {
    const client = gateway.client()
    const { data: before } = await client.auth.signInAnonymously()
    expect((await client.auth.updateUser({ password: 'correct horse' })).error?.code).toBe('validation_failed')
    const email = 'somebody@example.com'
    expect((await client.auth.updateUser({ email })).data.user).toMatchObject({ is_anonymous: true, new_email: email })
    const token = codeIn(await messageTo(gateway, email))
    const { data } = await client.auth.verifyOtp({ email, token, type: 'email_change' })
    expect(data.user).toMatchObject({
      id: before.user?.id,
      email,
      is_anonymous: false,
      app_metadata: { provider: 'email', providers: ['email'] },
      identities: [{ provider: 'email' }],
    })
    expect((await client.auth.updateUser({ password: 'correct horse' })).error).toBeNull()
    expect((await gateway.client().auth.signInWithPassword({ email, password: 'correct horse' })).error).toBeNull()
  })

  it('has nowhere to receive a code, and the error says so in GoTrue’s words [API-AUTH-14]', async () => {
    const client = gateway.client()
    await client.auth.signInAnonymously()
    expect((await client.auth.reauthenticate()).error).toMatchObject({
      status: 400,
      code: 'validation_failed',
      message: 'Reauthentication requires the user to have an email or a phone number',
    })
  })

  it('can be created a limited number of times from one address', async () => {
    const outcomes: (string | undefined)[] = []
    for (let n = 0; n < 3; n++) outcomes.push((await gateway.client().auth.signInAnonymously()).error?.code)
    expect(outcomes).toEqual([undefined, undefined, 'over_request_rate_limit'])
  })
})

it('calls every client method assigned to it, with success and with an error', () => methods.expectDriven('anonymous'))
