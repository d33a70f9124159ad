import { randomUUID } from 'node:crypto'
import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../testing/gateway.ts'
import { Authenticator } from '../testing/authenticator.ts'
import { claimsOf, codeOf, enroll, signIn, signUpWithTotp } from '../testing/factors.ts'
import { codeIn, messageTo, otherThan, patient } from '../testing/mailbox.ts'
import { recordMethods } from '../testing/record-methods.ts'

const methods = recordMethods()

let gateway: TestGateway
let origin: string
beforeAll(async () => {
  gateway = await startGateway({
    env: {
      ...patient,
      AUTH_MAILER_AUTOCONFIRM: '1',
      AUTH_EXTERNAL_PHONE_ENABLED: '1',
      AUTH_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY: '25',
      AUTH_MFA_MAX_ENROLLED_FACTORS: '3',
    },
  })
  origin = gateway.url.replace('127.0.0.1', 'localhost')
})
afterAll(() => gateway.close())

const withTotp = () => signUpWithTotp(gateway)

describe('an authenticator app', () => {
  it('is enrolled with a QR code and a URI, and counts once its code is verified [API-AUTH-19] [API-AUTH-20] [API-AUTH-21]', async () => {
    const { client, email, profileId } = await gateway.signUp()
    const totp = await enroll(client, 'Phone app')
    expect(totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg/)
    expect(totp.qr_code).not.toContain('#')
    expect(totp.uri).toContain(`otpauth://totp/Ovation:${encodeURIComponent(email)}`)
    expect((await client.auth.mfa.listFactors()).data).toMatchObject({ totp: [], all: [{ status: 'unverified' }] })

    const { data: challenge } = await client.auth.mfa.challenge({ factorId: totp.factorId })
    expect(challenge).toMatchObject({ type: 'totp', expires_at: expect.any(Number) })
    const { data, error } = await client.auth.mfa.verify({
      factorId: totp.factorId,
      challengeId: challenge?.id ?? '',
      code: codeOf(totp.secret),
    })
    expect(error).toBeNull()
    expect(data?.user.factors).toMatchObject([{ friendly_name: 'Phone app', status: 'verified' }])
    const claims = await claimsOf(client)
    expect(claims).toMatchObject({ aal: 'aal2', amr: [{ method: 'totp' }, { method: 'password' }] })
    expect((await client.from('profiles').select('id').eq('id', profileId)).error).toBeNull()
    expect((await client.from('user_settings').select('security')).data).toMatchObject([
      { security: { twoFactorEnabled: true } },
    ])
    await client.auth.refreshSession()
    expect(await claimsOf(client)).toMatchObject({ aal: 'aal2', session_id: claims.session_id })
  })

  it("is in the session's user, next to the identities, the tokens, and their lifetime [DATA-01]", async () => {
    const person = await withTotp()
    const { data } = await gateway.client().auth.signInWithPassword({ email: person.email, password: person.password })
    expect(data.session).toMatchObject({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      expires_in: 3600,
      expires_at: expect.any(Number),
      token_type: 'bearer',
      user: {
        id: person.userId,
        identities: [{ provider: 'email' }],
        factors: [{ id: person.factorId, factor_type: 'totp', status: 'verified' }],
      },
    })
  })

  it('must be verified at sign-in: until then the token works only in auth/v1 [AUTH-19] [SET-21]', async () => {
    const person = await withTotp()
    const client = await signIn(gateway, person)
    expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: 'aal1',
      nextLevel: 'aal2',
    })
    const read = await client.from('profiles').select('id')
    expect([read.status, read.error]).toMatchObject([403, { code: 'insufficient_aal' }])
    expect((await client.storage.from('posts').list()).error).toMatchObject({
      message: expect.stringContaining('Two-factor verification required'),
    })
    expect((await client.functions.invoke('check-stripe-status')).error).not.toBeNull()
    await client.auth.refreshSession()
    expect((await client.from('profiles').select('id')).status).toBe(403)

    const { error } = await client.auth.mfa.challengeAndVerify({
      factorId: person.factorId,
      code: codeOf(person.secret),
    })
    expect(error).toBeNull()
    expect((await client.from('profiles').select('id').limit(1)).status).toBe(200)
  })

  it('accepts no code twice, no earlier one, and no wrong one', async () => {
    const person = await withTotp()
    const client = await signIn(gateway, person)
    const attempt = async (code: string) =>
      (await client.auth.mfa.challengeAndVerify({ factorId: person.factorId, code })).error
    const refused = { status: 422, code: 'mfa_verification_failed', message: 'Invalid TOTP code entered' }
    expect(await attempt(codeOf(person.secret, -1))).toMatchObject(refused) // the code of its enrollment
    expect(await attempt(codeOf(person.secret, -5))).toMatchObject(refused)
    expect(await attempt('000000')).toMatchObject(refused)
    expect(await attempt('')).toMatchObject(refused)
    expect(await attempt(codeOf(person.secret, 1))).toBeNull()
    expect(await attempt(codeOf(person.secret))).toMatchObject(refused)
  })

  it('must be verified with a current challenge: not an old, a used, or another one', async () => {
    const person = await withTotp()
    const client = await signIn(gateway, person)
    const { factorId } = person
    const { data: challenge } = await client.auth.mfa.challenge({ factorId })
    await gateway.query(`update auth.mfa_challenges set created_at = now() - interval '1 hour' where id = $1`, [
      challenge?.id,
    ])
    for (const challengeId of [challenge?.id ?? '', randomUUID(), 'nonsense']) {
      const { error } = await client.auth.mfa.verify({ factorId, challengeId, code: codeOf(person.secret) })
      expect(error).toMatchObject({ status: 422, code: 'mfa_challenge_expired' })
    }
    const { data: fresh } = await client.auth.mfa.challenge({ factorId })
    const challengeId = fresh?.id ?? ''
    expect((await client.auth.mfa.verify({ factorId, challengeId, code: codeOf(person.secret) })).error).toBeNull()
    expect((await client.auth.mfa.verify({ factorId, challengeId, code: codeOf(person.secret, 1) })).error?.code).toBe(
      'mfa_challenge_expired',
    )
    await gateway.query(`update auth.mfa_challenges set verified_at = null, ip_address = '192.0.2.1' where id = $1`, [
      challengeId,
    ])
    expect((await client.auth.mfa.verify({ factorId, challengeId, code: codeOf(person.secret, 1) })).error?.code).toBe(
      'mfa_ip_address_mismatch',
    )
  })

  it("can't be used by another user", async () => {
    const { factorId } = await withTotp()
    const { client } = await gateway.signUp()
    for (const { error } of [
      await client.auth.mfa.challenge({ factorId }),
      await client.auth.mfa.unenroll({ factorId }),
      await client.auth.mfa.challenge({ factorId: 'x' }),
    ]) {
      expect(error).toMatchObject({ status: 422, code: 'mfa_factor_not_found' })
    }
  })

  it("ends the sessions that haven't verified it, and the refresh token from the password alone", async () => {
    const person = await gateway.signUp()
    const other = await signIn(gateway, person)
    const before = (await person.client.auth.getSession()).data.session?.refresh_token ?? ''
    const { factorId, secret } = await enroll(person.client)
    await person.client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret) })
    expect((await other.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
    expect((await gateway.client().auth.refreshSession({ refresh_token: before })).error?.code).toBe(
      'refresh_token_not_found',
    )
    expect((await person.client.auth.refreshSession()).error).toBeNull()
  })

  it('protects password, address, and factors [API-AUTH-22]', async () => {
    const person = await withTotp()
    const client = await signIn(gateway, person)
    const refused = { code: 'insufficient_aal' }
    expect((await client.auth.updateUser({ password: 'another horse' })).error).toMatchObject(refused)
    expect((await client.auth.updateUser({ email: 'else@example.com' })).error).toMatchObject(refused)
    expect((await client.auth.mfa.unenroll({ factorId: person.factorId })).error).toMatchObject(refused)
    expect((await client.auth.mfa.enroll({ factorType: 'totp' })).error).toMatchObject(refused)
    expect((await client.auth.updateUser({ data: { theme: 'dark' } })).error).toMatchObject(refused)

    expect((await person.client.auth.mfa.unenroll({ factorId: person.factorId })).data).toEqual({ id: person.factorId })
    await person.client.auth.refreshSession()
    expect(await claimsOf(person.client)).toMatchObject({ aal: 'aal1', amr: [{ method: 'password' }] })
    expect((await person.client.from('user_settings').select('security')).data).toMatchObject([
      { security: { twoFactorEnabled: false } },
    ])
  })

  it('must have a unique name, and their number is limited', async () => {
    const { client } = await gateway.signUp()
    await enroll(client, 'One')
    expect((await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'One' })).error?.code).toBe(
      'mfa_factor_name_conflict',
    )
    await enroll(client, 'Two')
    await enroll(client, 'Three')
    expect((await client.auth.mfa.enroll({ factorType: 'totp' })).error?.code).toBe('too_many_enrolled_mfa_factors')
    await gateway.query(`update auth.mfa_factors set created_at = now() - interval '1 hour'`)
    await enroll(client, 'Four')
  })

  it('has its secret encrypted at rest', async () => {
    const { client } = await gateway.signUp()
    const { factorId, secret } = await enroll(client)
    const [row] = await gateway.query<{ secret: string }>('select secret from auth.mfa_factors where id = $1', [
      factorId,
    ])
    expect(row?.secret).toMatch(/^v1\./)
    expect(row?.secret).not.toContain(secret)
  })

  it('can be tried a limited number of times', async () => {
    const person = await withTotp()
    const client = await signIn(gateway, person)
    const codes: (string | undefined)[] = []
    for (let n = 0; n < 15; n++) {
      const { error } = await client.auth.mfa.challengeAndVerify({ factorId: person.factorId, code: '000000' })
      codes.push(error?.code)
    }
    expect(codes.at(0)).toBe('mfa_verification_failed')
    expect(codes.at(-1)).toBe('over_request_rate_limit')
  })

  it("isn't created for a session that was ended elsewhere", async () => {
    const { client, userId } = await withTotp()
    const token = (await client.auth.getSession()).data.session?.access_token
    await gateway.query('delete from auth.sessions where user_id = $1', [userId])
    const ended = { name: 'AuthSessionMissingError' }
    expect((await client.auth.mfa.getAuthenticatorAssuranceLevel(token)).error).toMatchObject(ended)
    expect((await client.auth.mfa.listFactors()).error).toMatchObject(ended)
  })

  it('can be listed and removed by an admin for users who lost it [API-AUTH-26]', async () => {
    const { userId, factorId, email, password } = await withTotp()
    const { admin } = gateway.service.auth
    expect((await admin.mfa.listFactors({ userId })).data?.factors).toMatchObject([
      { id: factorId, status: 'verified' },
    ])
    expect((await admin.mfa.listFactors({ userId: randomUUID() })).error?.code).toBe('user_not_found')
    expect((await admin.mfa.deleteFactor({ userId, id: randomUUID() })).error?.code).toBe('mfa_factor_not_found')
    expect((await admin.mfa.deleteFactor({ userId, id: factorId })).error).toBeNull()
    const client = await signIn(gateway, { email, password })
    expect((await client.from('profiles').select('id').limit(1)).status).toBe(200)
  })
})

describe('a phone as a factor', () => {
  it('gets a code for each challenge', async () => {
    const { client } = await gateway.signUp()
    const phone = '15557654321'
    const { data: factor } = await client.auth.mfa.enroll({
      factorType: 'phone',
      phone: `+${phone}`,
      friendlyName: 'Mobile',
    })
    expect(factor).toMatchObject({ type: 'phone', phone })
    const factorId = factor?.id ?? ''
    const { data: challenge } = await client.auth.mfa.challenge({ factorId, channel: 'sms' })
    const code = codeIn(await messageTo(gateway, `+${phone}`))
    const challengeId = challenge?.id ?? ''
    expect((await client.auth.mfa.verify({ factorId, challengeId, code: otherThan(code) })).error?.code).toBe(
      'mfa_verification_failed',
    )
    expect((await client.auth.mfa.verify({ factorId, challengeId, code })).error).toBeNull()
    expect(await claimsOf(client)).toMatchObject({
      aal: 'aal2',
      amr: [{ method: 'mfa/phone' }, { method: 'password' }],
    })
    expect((await client.auth.mfa.enroll({ factorType: 'phone', phone })).error?.code).toBe('mfa_factor_name_conflict')
  })
})

describe('a security key', () => {
  const webauthn = { rpId: 'localhost' }

  async function register(key: Authenticator) {
    const person = await gateway.signUp()
    const { mfa } = person.client.auth
    const { data: factor } = await mfa.enroll({ factorType: 'webauthn', friendlyName: 'Key' })
    const factorId = factor?.id ?? ''
    const { data, error } = await mfa.challenge({ factorId, webauthn })
    if (error || data.webauthn.type !== 'create') throw error ?? new Error('a new key is not asked to sign')
    const made = key.create(data.webauthn.credential_options.publicKey as never)
    const verified = await mfa.verify({
      factorId,
      challengeId: data.id,
      webauthn: { ...webauthn, type: 'create', credential_response: made as never },
    })
    return { ...person, factorId, verified }
  }

  async function prove(client: SupabaseClient, factorId: string, key: Authenticator) {
    const { data, error } = await client.auth.mfa.challenge({ factorId, webauthn })
    if (error || data.webauthn.type !== 'request') throw error ?? new Error('a known key is not asked to be made')
    const signed = key.get(data.webauthn.credential_options.publicKey as never)
    const credential = { ...webauthn, type: 'request', credential_response: signed as never } as const
    return client.auth.mfa.verify({ factorId, challengeId: data.id, webauthn: credential })
  }

  it('is registered, and signs at the next sign-in', async () => {
    const key = new Authenticator(origin)
    const person = await register(key)
    expect(person.verified.error).toBeNull()
    expect((await person.client.auth.mfa.listFactors()).data?.webauthn).toHaveLength(1)
    const client = await signIn(gateway, person)
    expect((await client.from('profiles').select('id')).status).toBe(403)
    expect((await prove(client, person.factorId, key)).error).toBeNull()
    expect(await claimsOf(client)).toMatchObject({
      aal: 'aal2',
      amr: [{ method: 'mfa/webauthn' }, { method: 'password' }],
    })
  })

  it('is rejected if another key signs, or a copy of it, or for another site', async () => {
    const key = new Authenticator(origin)
    const person = await register(key)
    const client = await signIn(gateway, person)
    const refused = { status: 422, code: 'mfa_verification_failed' }
    expect((await prove(client, person.factorId, new Authenticator(origin))).error).toMatchObject(refused)
    key.rewind()
    expect((await prove(client, person.factorId, key)).error).toMatchObject(refused)
    expect((await register(new Authenticator('https://evil.example'))).verified.error).toMatchObject(refused)
    const foreign = await client.auth.mfa.challenge({ factorId: person.factorId, webauthn: { rpId: 'evil.example' } })
    expect(foreign.error?.code).toBe('validation_failed')
  })
})

it('calls every client method assigned to it, with success and with an error', () => methods.expectDriven('factors'))
