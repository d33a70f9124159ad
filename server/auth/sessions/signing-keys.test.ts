import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../testing/gateway.ts'
import { recordMethods } from '../testing/record-methods.ts'

const methods = recordMethods()

let gateway: TestGateway
beforeAll(async () => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), kid: 'first', alg: 'ES256', use: 'sig' }
  gateway = await startGateway({ env: { JWT_SIGNING_KEYS: JSON.stringify({ keys: [key] }) } })
})
afterAll(() => gateway.close())

describe('with its own signing keys', () => {
  it('publishes only the public halves, and clients verify tokens with them [API-AUTH-23] [AUTH-29]', async () => {
    const response = await fetch(`${gateway.url}/auth/v1/.well-known/jwks.json`)
    const { keys } = (await response.json()) as { keys: Record<string, unknown>[] }
    expect(keys).toMatchObject([{ kid: 'first', alg: 'ES256', kty: 'EC' }])
    expect(keys[0]).not.toHaveProperty('d')

    const { client, userId } = await gateway.signUp()
    const { data, error } = await client.auth.getClaims()
    expect(error).toBeNull()
    expect(data).toMatchObject({
      header: { alg: 'ES256', kid: 'first' },
      claims: { sub: userId, role: 'authenticated' },
    })
    const token = (await client.auth.getSession()).data.session?.access_token ?? ''
    const forged = `${token.slice(0, -8)}AAAAAAAA`
    expect((await client.auth.getClaims(forged)).error?.name).toBe('AuthInvalidJwtError')
    expect((await client.auth.getUser()).data.user?.id).toBe(userId)
    expect((await client.auth.refreshSession()).error).toBeNull()
  })
})

describe('keys and origins', () => {
  it('an unknown key is rejected, a new-style key works', async () => {
    const { email, password } = await gateway.signUp()
    const refused = await gateway.client('sb_publishable_made_up').auth.signInWithPassword({ email, password })
    expect(refused.error).toMatchObject({ status: 401, code: 'invalid_api_key' })
    const client = gateway.client(gateway.secrets.publishableKey)
    expect((await client.auth.signInWithPassword({ email, password })).error).toBeNull()
    expect((await gateway.client(gateway.secrets.secretKey).auth.admin.listUsers()).error).toBeNull()
  })

  it('a page of another origin may call the API', async () => {
    const response = await fetch(`${gateway.url}/auth/v1/token?grant_type=password`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://elsewhere.test',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'apikey,authorization,content-type,x-client-info,x-supabase-api-version',
      },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-headers')).toContain('x-supabase-api-version')
  })
})

it('calls every client method assigned to it, with success and with an error', () =>
  methods.expectDriven('signing-keys'))
