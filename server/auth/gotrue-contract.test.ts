import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../config.ts'
import { buildTokens } from '../http/tokens.ts'
import { startGateway, type TestGateway } from '../testing/gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway({ env: { AUTH_SECURITY_MANUAL_LINKING_ENABLED: '0', AUTH_PASSWORD_HIBP_ENABLED: '0' } })
})
afterAll(() => gateway.close())

const secret = 'a secret of at least thirty-two characters'

async function ask(method: string, path: string, token: string | undefined, body?: unknown) {
  const answer = await fetch(`${gateway.url}/auth/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return [answer.status, await answer.json()] as const
}

describe('signing keys', () => {
  it.each(['ES256', 'RS256'])("created by Supabase's tools sign and verify with %s", async (alg) => {
    const { privateKey } = await generateKeyPair(alg, { extractable: true })
    const { privateKey: older } = await generateKeyPair('ES256', { extractable: true })
    const standby = { ...(await exportJWK(older)), kid: 'standby', alg: 'ES256', use: 'sig', key_ops: ['verify'] }
    const active = { ...(await exportJWK(privateKey)), kid: 'active', alg, use: 'sig', key_ops: ['sign', 'verify'] }
    const tokens = await buildTokens(secret, JSON.stringify({ keys: [standby, active] }))
    const token = await tokens.sign({ sub: 'somebody' }, 60)
    expect(JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())).toMatchObject({
      kid: 'active',
      alg,
    })
    expect(await tokens.verify(token)).toMatchObject({ sub: 'somebody' })
  })

  it('may be shared secrets, which are never published', async () => {
    const k = Buffer.from('another secret of at least thirty-two characters').toString('base64url')
    const shared = { kty: 'oct', kid: 'shared', alg: 'HS256', k, key_ops: ['sign', 'verify'] }
    const tokens = await buildTokens(secret, JSON.stringify([shared]))
    expect(tokens.publicKeys).toEqual({ keys: [] })
    expect(await tokens.verify(await tokens.sign({ sub: 'somebody' }, 60))).toMatchObject({ sub: 'somebody' })
    // The installation's API keys are signed with its own secret, and stay valid.
    const own = await buildTokens(secret, undefined)
    expect(await tokens.verify(await own.sign({ role: 'anon' }, 60))).toMatchObject({ role: 'anon' })
    const forged = await buildTokens('a stranger’s secret of at least thirty-two', undefined)
    await expect(tokens.verify(await forged.sign({ role: 'service_role' }, 60))).rejects.toMatchObject({
      code: 'bad_jwt',
    })
  })

  it.each([
    ['a short shared secret', { kty: 'oct', kid: 'a', k: 'c2hvcnQ' }],
    ['an invalid key', { kty: 'EC', crv: 'P-256', kid: 'a', d: 'AA', x: 'AA', y: 'AA' }],
  ])('fail the start by name: %s', async (_what, key) => {
    await expect(buildTokens(secret, JSON.stringify([key]))).rejects.toThrow(/^JWT_SIGNING_KEYS /)
  })
})

describe('a setting of GoTrue’s', () => {
  it('AUTH_PASSWORD_HIBP_ENABLED=0 allows leaked passwords, and the check is on by default', async () => {
    expect(parseConfig({}).auth.refusesLeakedPasswords).toBe(true)
    const { error } = await gateway.client().auth.signUp({ email: 'leaked@example.com', password: 'password123' })
    expect(error).toBeNull()
  })

  it('AUTH_SECURITY_MANUAL_LINKING_ENABLED=0 turns unlinking off too', async () => {
    const { client } = await gateway.signUp()
    const [identity] = (await client.auth.getUserIdentities()).data?.identities ?? []
    expect(identity && (await client.auth.unlinkIdentity(identity)).error).toMatchObject({
      status: 404,
      code: 'manual_linking_disabled',
      message: 'Manual linking is disabled',
    })
  })
})

describe('a response as in GoTrue', () => {
  it.each(['email_change_current', 'email_change_new'] as const)(
    'to generate_link %s names the new address',
    async (type) => {
      const { email } = await gateway.signUp()
      const link = { type, email, newEmail: `next-${email}` }
      const { data, error } = await gateway.service.auth.admin.generateLink(link)
      expect(error).toBeNull()
      expect(data.user).toMatchObject({ email, new_email: `next-${email}` })
    },
  )

  it('to an unknown challenge, an unknown passkey, and an invalid page', async () => {
    const id = crypto.randomUUID()
    const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: {}, clientExtensionResults: {} }
    expect(
      await ask('POST', '/passkeys/authentication/verify', undefined, { challenge_id: id, credential }),
    ).toMatchObject([400, { error_code: 'webauthn_challenge_not_found' }])
    const begun = await ask('POST', '/passkeys/authentication/options', undefined, {})
    const { challenge_id } = begun[1] as { challenge_id: string }
    expect(await ask('POST', '/passkeys/authentication/verify', undefined, { challenge_id, credential })).toMatchObject(
      [400, { error_code: 'webauthn_verification_failed' }],
    )
    await gateway.query(`
      insert into auth.webauthn_challenges (id, challenge_type, session_data, expires_at)
      values ('${id}', 'authentication', '{"challenge": "AAAA", "rpId": "localhost"}', now() - interval '1 second')`)
    expect(
      await ask('POST', '/passkeys/authentication/verify', undefined, { challenge_id: id, credential }),
    ).toMatchObject([422, { error_code: 'webauthn_challenge_expired' }])
    const { client } = await gateway.signUp()
    const { error } = await client.auth.passkey.update({ passkeyId: crypto.randomUUID(), friendlyName: 'Phone' })
    expect(error).toMatchObject({ status: 404, code: 'validation_failed', message: 'Passkey not found' })
    for (const page of ['-1', 'first', '1.5'])
      expect(await ask('GET', `/admin/users?page=${page}`, gateway.secrets.serviceRoleKey)).toMatchObject([
        400,
        { error_code: 'validation_failed', msg: 'Bad Pagination Parameters' },
      ])
  })

  it('to a wallet while wallets are off, whatever the body', async () => {
    for (const body of [{}, { chain: 'solana', message: 'x', signature: 3 }])
      expect(await ask('POST', '/token?grant_type=web3', undefined, body)).toMatchObject([
        422,
        { error_code: 'web3_provider_disabled', msg: 'Web3 provider is disabled' },
      ])
  })
})
