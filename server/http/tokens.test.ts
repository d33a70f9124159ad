import { exportJWK, generateKeyPair } from 'jose'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { buildTokens } from './tokens.ts'

const secret = 'a secret that is long enough for HS256'
const claims = { sub: 'someone', role: 'authenticated' }

describe('access tokens', () => {
  it('are verified with the secret that signed them', async () => {
    const tokens = await buildTokens(secret, undefined)
    expect(await tokens.verify(await tokens.sign(claims, 60))).toMatchObject(claims)
    expect(tokens.publicKeys).toEqual({ keys: [] })
  })

  it("are rejected if another secret signed them, if tampered with, and if they aren't tokens", async () => {
    const tokens = await buildTokens(secret, undefined)
    const stranger = await buildTokens('another secret that is long enough, too', undefined)
    const token = await tokens.sign(claims, 60)
    const [header, , signature] = token.split('.')
    const forged = `${header}.${btoa(JSON.stringify({ ...claims, role: 'service_role' })).replace(/=+$/, '')}.${signature}`
    const unsigned = `${btoa('{"alg":"none"}').replace(/=+$/, '')}.${token.split('.')[1]}.`
    for (const bad of [await stranger.sign(claims, 60), forged, unsigned, 'nonsense', '', 'a.b.c']) {
      await expect(tokens.verify(bad)).rejects.toMatchObject({ status: 401, code: 'bad_jwt' })
    }
  })

  it('are rejected once they have expired, even if they were verified before', async () => {
    const tokens = await buildTokens(secret, undefined)
    await expect(tokens.verify(await tokens.sign(claims, -60))).rejects.toMatchObject({
      status: 401,
      code: 'jwt_expired',
    })
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const token = await tokens.sign(claims, 60)
    await tokens.verify(token)
    vi.advanceTimersByTime(64_000) // within the tolerance for another machine's clock
    await tokens.verify(token)
    vi.advanceTimersByTime(2_000)
    await expect(tokens.verify(token)).rejects.toMatchObject({ code: 'jwt_expired' })
  })

  it('are signed with the first private key of a set, and only its public part is published [API-AUTH-23]', async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    const key = { ...(await exportJWK(privateKey)), kid: 'one', alg: 'ES256' }
    const tokens = await buildTokens(secret, JSON.stringify({ keys: [key] }))
    const token = await tokens.sign(claims, 60)
    expect(JSON.parse(atob(token.split('.')[0] ?? ''))).toMatchObject({ alg: 'ES256', kid: 'one' })
    expect(await tokens.verify(token)).toMatchObject(claims)
    expect(JSON.stringify(tokens.publicKeys)).not.toContain(key.d)
  })

  it('are verified with an RSA key of the set', async () => {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    const key = { ...(await exportJWK(privateKey)), kid: 'two', alg: 'RS256' }
    const tokens = await buildTokens(secret, JSON.stringify([key]))
    const token = await tokens.sign(claims, 60)
    expect(JSON.parse(atob(token.split('.')[0] ?? ''))).toMatchObject({ alg: 'RS256', kid: 'two' })
    expect(await tokens.verify(token)).toMatchObject(claims)
    expect(JSON.stringify(tokens.publicKeys)).not.toContain(key.d)
  })

  it('are rejected if they are for another audience, if one is set', async () => {
    const tokens = await buildTokens(secret, undefined, 'ovation')
    const stranger = await tokens.sign({ ...claims, aud: 'elsewhere' }, 60)
    await expect(tokens.verify(stranger)).rejects.toMatchObject({ status: 401, code: 'bad_audience' })
    for (const aud of ['ovation', ['elsewhere', 'ovation'], undefined]) {
      expect(await tokens.verify(await tokens.sign({ ...claims, aud }, 60))).toMatchObject(claims)
    }
    const anybody = await buildTokens(secret, undefined)
    expect(await anybody.verify(stranger)).toMatchObject(claims)
  })

  it("can't be forged by using a public key as a shared secret", async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    const key = { ...(await exportJWK(privateKey)), kid: 'one', alg: 'ES256' }
    const tokens = await buildTokens(secret, JSON.stringify({ keys: [key] }))
    const confused = await buildTokens(JSON.stringify(tokens.publicKeys.keys[0]), undefined)
    await expect(tokens.verify(await confused.sign(claims, 60))).rejects.toMatchObject({ code: 'bad_jwt' })
  })

  it('reject an invalid JWK set', async () => {
    await expect(buildTokens(secret, 'no json')).rejects.toThrow(/JWT_SIGNING_KEYS/)
    await expect(buildTokens(secret, '{"keys":[]}')).rejects.toThrow(/JWT_SIGNING_KEYS/)
  })
})
