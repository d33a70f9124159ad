import { randomUUID } from 'node:crypto'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { decodeJwt } from 'jose'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { Authenticator } from './testing/authenticator.ts'
import { codeIn, messageTo, patient } from './testing/mailbox.ts'

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

/** The code of an app `steps` half-minutes from now: each code is taken once. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

async function enrol(client: SupabaseClient, friendlyName = 'App') {
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName })
  if (error) throw error
  return { factorId: data.id, ...data.totp }
}

async function withTotp() {
  const person = await gateway.signUp()
  const { factorId, secret } = await enrol(person.client)
  const { error } = await person.client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret, -1) })
  expect(error).toBeNull()
  return { ...person, factorId, secret }
}

async function signIn({ email, password }: Pick<Person, 'email' | 'password'>) {
  const client = gateway.client()
  await client.auth.signInWithPassword({ email, password })
  return client
}

const claimsOf = async (client: SupabaseClient) =>
  decodeJwt((await client.auth.getSession()).data.session?.access_token ?? '')

describe('an authenticator app', () => {
  it('is enrolled with a picture and an address, and counts once its code came [API-AUTH-19] [API-AUTH-20] [API-AUTH-21]', async () => {
    const { client, email, profileId } = await gateway.signUp()
    const totp = await enrol(client, 'Phone app')
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

  it('must be shown at sign-in: until then the token opens nothing but auth/v1 [AUTH-19] [SET-21]', async () => {
    const person = await withTotp()
    const client = await signIn(person)
    expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: 'aal1',
      nextLevel: 'aal2',
    })
    const read = await client.from('profiles').select('id')
    expect([read.status, read.error]).toMatchObject([403, { code: 'insufficient_aal' }])
    expect((await client.storage.from('posts').list()).error).toMatchObject({
      message: expect.stringContaining('second factor'),
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

  it('takes no code twice, no earlier one, and no wrong one', async () => {
    const person = await withTotp()
    const client = await signIn(person)
    const attempt = async (code: string) =>
      (await client.auth.mfa.challengeAndVerify({ factorId: person.factorId, code })).error
    const refused = { status: 422, code: 'mfa_verification_failed', message: 'Invalid TOTP code entered' }
    expect(await attempt(codeOf(person.secret, -1))).toMatchObject(refused) // the one of its enrolment
    expect(await attempt(codeOf(person.secret, -5))).toMatchObject(refused)
    expect(await attempt('000000')).toMatchObject(refused)
    expect(await attempt('')).toMatchObject(refused)
    expect(await attempt(codeOf(person.secret, 1))).toBeNull()
    expect(await attempt(codeOf(person.secret))).toMatchObject(refused)
  })

  it('is proved within the challenge: not with an old, a used or another one', async () => {
    const person = await withTotp()
    const client = await signIn(person)
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

  it("is nobody else's", async () => {
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

  it('ends the sessions that have not shown it, and the refresh token that the password alone had bought', async () => {
    const person = await gateway.signUp()
    const other = await signIn(person)
    const before = (await person.client.auth.getSession()).data.session?.refresh_token ?? ''
    const { factorId, secret } = await enrol(person.client)
    await person.client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret) })
    expect((await other.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
    expect((await gateway.client().auth.refreshSession({ refresh_token: before })).error?.code).toBe(
      'refresh_token_not_found',
    )
    expect((await person.client.auth.refreshSession()).error).toBeNull()
  })

  it('guards what guards the account: password, address, factors [API-AUTH-22]', async () => {
    const person = await withTotp()
    const client = await signIn(person)
    const refused = { code: 'insufficient_aal' }
    expect((await client.auth.updateUser({ password: 'another horse' })).error).toMatchObject(refused)
    expect((await client.auth.updateUser({ email: 'else@example.com' })).error).toMatchObject(refused)
    expect((await client.auth.mfa.unenroll({ factorId: person.factorId })).error).toMatchObject(refused)
    expect((await client.auth.mfa.enroll({ factorType: 'totp' })).error).toMatchObject(refused)
    expect((await client.auth.updateUser({ data: { theme: 'dark' } })).error).toBeNull()

    expect((await person.client.auth.mfa.unenroll({ factorId: person.factorId })).data).toEqual({ id: person.factorId })
    await person.client.auth.refreshSession()
    expect(await claimsOf(person.client)).toMatchObject({ aal: 'aal1', amr: [{ method: 'password' }] })
    expect((await person.client.from('user_settings').select('security')).data).toMatchObject([
      { security: { twoFactorEnabled: false } },
    ])
  })

  it('has a name of its own among a few', async () => {
    const { client } = await gateway.signUp()
    await enrol(client, 'One')
    expect((await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'One' })).error?.code).toBe(
      'mfa_factor_name_conflict',
    )
    await enrol(client, 'Two')
    await enrol(client, 'Three')
    expect((await client.auth.mfa.enroll({ factorType: 'totp' })).error?.code).toBe('too_many_enrolled_mfa_factors')
    await gateway.query(`update auth.mfa_factors set created_at = now() - interval '1 hour'`)
    await enrol(client, 'Four')
  })

  it('has its secret encrypted at rest', async () => {
    const { client } = await gateway.signUp()
    const { factorId, secret } = await enrol(client)
    const [row] = await gateway.query<{ secret: string }>('select secret from auth.mfa_factors where id = $1', [
      factorId,
    ])
    expect(row?.secret).toMatch(/^v1\./)
    expect(row?.secret).not.toContain(secret)
  })

  it('is tried a limited number of times', async () => {
    const person = await withTotp()
    const client = await signIn(person)
    const codes: (string | undefined)[] = []
    for (let n = 0; n < 15; n++) {
      const { error } = await client.auth.mfa.challengeAndVerify({ factorId: person.factorId, code: '000000' })
      codes.push(error?.code)
    }
    expect(codes.at(0)).toBe('mfa_verification_failed')
    expect(codes.at(-1)).toBe('over_request_rate_limit')
  })

  it('is seen and removed by an admin for who has lost it [API-AUTH-26]', async () => {
    const { userId, factorId, email, password } = await withTotp()
    const { admin } = gateway.service.auth
    expect((await admin.mfa.listFactors({ userId })).data?.factors).toMatchObject([
      { id: factorId, status: 'verified' },
    ])
    expect((await admin.mfa.deleteFactor({ userId, id: randomUUID() })).error?.code).toBe('mfa_factor_not_found')
    expect((await admin.mfa.deleteFactor({ userId, id: factorId })).error).toBeNull()
    const client = await signIn({ email, password })
    expect((await client.from('profiles').select('id').limit(1)).status).toBe(200)
  })
})

describe('policies', () => {
  it('can ask for a second factor of everybody, or of who has one', async () => {
    await gateway.query(`
      create table public.strongroom (asks text);
      insert into public.strongroom values ('everybody'), ('who has one');
      alter table public.strongroom enable row level security;
      create policy select_all on public.strongroom for select to authenticated using (true);
      create policy proved on public.strongroom as restrictive for select to authenticated
        using (case asks when 'everybody' then (select auth.aal()) = 'aal2' else (select private.has_proved_factors()) end);
      grant select on public.strongroom to authenticated`)
    const open = (claims: Record<string, unknown>) =>
      gateway.database.as({ role: 'authenticated', claims }, 'select asks from public.strongroom order by asks')
    const { userId: guarded } = await withTotp()
    const { userId: plain } = await gateway.signUp()
    expect([
      await open({ sub: guarded, aal: 'aal1' }),
      await open({ sub: guarded, aal: 'aal2' }),
      await open({ sub: plain, aal: 'aal1' }),
    ]).toEqual([[], [{ asks: 'everybody' }, { asks: 'who has one' }], [{ asks: 'who has one' }]])
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
    const wrong = code === '000000' ? '000001' : '000000'
    expect((await client.auth.mfa.verify({ factorId, challengeId, code: wrong })).error?.code).toBe(
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
    const client = await signIn(person)
    expect((await client.from('profiles').select('id')).status).toBe(403)
    expect((await prove(client, person.factorId, key)).error).toBeNull()
    expect(await claimsOf(client)).toMatchObject({
      aal: 'aal2',
      amr: [{ method: 'mfa/webauthn' }, { method: 'password' }],
    })
  })

  it('is refused when another key signs, or a copy of it, or for another site', async () => {
    const key = new Authenticator(origin)
    const person = await register(key)
    const client = await signIn(person)
    const refused = { status: 422, code: 'mfa_verification_failed' }
    expect((await prove(client, person.factorId, new Authenticator(origin))).error).toMatchObject(refused)
    key.rewind()
    expect((await prove(client, person.factorId, key)).error).toMatchObject(refused)
    expect((await register(new Authenticator('https://evil.example'))).verified.error).toMatchObject(refused)
    const foreign = await client.auth.mfa.challenge({ factorId: person.factorId, webauthn: { rpId: 'evil.example' } })
    expect(foreign.error?.code).toBe('validation_failed')
  })
})

const experimentalClient = (key = gateway.secrets.anonKey) =>
  createClient(gateway.url, key, {
    auth: {
      persistSession: false,
      autoRefreshToken: false,
      experimental: { passkey: true, recoveryCodes: true } as never,
    },
    global: { headers: { origin } },
  })

describe('recovery codes', () => {
  it('open the account once each, for who has lost the app', async () => {
    const person = await withTotp()
    const keeper = experimentalClient()
    const session = (await person.client.auth.getSession()).data.session ?? expect.unreachable()
    await keeper.auth.setSession(session)
    const { data, error } = await keeper.auth.mfa.recoveryCodes.generate({ friendlyName: 'Paper' })
    expect(error).toBeNull()
    const codes = data?.codes ?? []
    expect(new Set(codes).size).toBe(10)
    expect((await keeper.auth.mfa.recoveryCodes.generate()).error?.code).toBe('mfa_verified_factor_exists')

    const client = experimentalClient()
    await client.auth.signInWithPassword(person)
    const used = codes[0]?.toUpperCase().replace('-', ' ') ?? ''
    expect((await client.auth.mfa.recoveryCodes.verify({ code: 'aaaaa-aaaaa' })).error?.code).toBe(
      'mfa_verification_failed',
    )
    expect((await client.auth.mfa.recoveryCodes.verify({ code: used })).error).toBeNull()
    expect(await claimsOf(client)).toMatchObject({ aal: 'aal2' })
    expect((await client.auth.mfa.recoveryCodes.verify({ code: used })).error?.code).toBe('mfa_verification_failed')
    expect((await client.auth.mfa.recoveryCodes.getStatus()).data).toMatchObject({ total: 10, remaining: 9 })

    const again = await client.auth.mfa.recoveryCodes.regenerate()
    expect(again.data?.codes).toHaveLength(10)
    expect((await client.auth.mfa.recoveryCodes.verify({ code: codes[1] ?? '' })).error?.code).toBe(
      'mfa_verification_failed',
    )
    expect((await client.auth.mfa.recoveryCodes.unenroll()).error).toBeNull()
    expect((await client.auth.mfa.recoveryCodes.getStatus()).error?.code).toBe('mfa_factor_not_found')
  })

  it('are made only beside another factor, and go with the last one', async () => {
    const { email, password } = await gateway.signUp()
    const alone = experimentalClient()
    await alone.auth.signInWithPassword({ email, password })
    expect((await alone.auth.mfa.recoveryCodes.generate()).error?.code).toBe('mfa_recovery_codes_sole_factor')

    const person = await withTotp()
    const client = experimentalClient()
    await client.auth.setSession((await person.client.auth.getSession()).data.session ?? expect.unreachable())
    await client.auth.mfa.recoveryCodes.generate()
    await client.auth.mfa.unenroll({ factorId: person.factorId })
    expect(await gateway.query('select from auth.mfa_factors where user_id = $1', [person.userId])).toHaveLength(0)
  })
})

describe('a passkey', () => {
  async function register(key: Authenticator) {
    const person = await gateway.signUp()
    const client = experimentalClient()
    await client.auth.signInWithPassword(person)
    const { data: asked, error } = await client.auth.passkey.startRegistration()
    if (error) throw error
    const made = key.create(asked.options as never)
    const registered = await client.auth.passkey.verifyRegistration({
      challengeId: asked.challenge_id,
      credential: made.toJSON() as never,
    })
    return { ...person, client, registered, challengeId: asked.challenge_id, made }
  }

  async function signInWith(key: Authenticator) {
    const client = experimentalClient()
    const { data: asked } = await client.auth.passkey.startAuthentication()
    const credential = key.get((asked?.options ?? {}) as never).toJSON() as never
    return {
      client,
      challengeId: asked?.challenge_id ?? '',
      credential,
      ...(await client.auth.passkey.verifyAuthentication({ challengeId: asked?.challenge_id ?? '', credential })),
    }
  }

  it('signs in without a password, is named, listed and removed', async () => {
    const key = new Authenticator(origin)
    const { client, registered, userId } = await register(key)
    expect(registered.error).toBeNull()
    const passkeyId = registered.data?.id ?? ''
    const signedIn = await signInWith(key)
    expect(signedIn.error).toBeNull()
    expect(signedIn.data?.session?.user.id).toBe(userId)
    expect(await claimsOf(signedIn.client)).toMatchObject({ amr: [{ method: 'passkey' }] })
    expect((await client.auth.passkey.update({ passkeyId, friendlyName: 'Laptop' })).error).toBeNull()
    expect((await client.auth.passkey.list()).data).toMatchObject([
      { id: passkeyId, friendly_name: 'Laptop', last_used_at: expect.any(String) },
    ])
    expect((await client.auth.passkey.delete({ passkeyId: randomUUID() })).error?.code).toBe('mfa_factor_not_found')
    expect((await client.auth.passkey.delete({ passkeyId })).error).toBeNull()
    expect((await signInWith(key)).error?.code).toBe('invalid_credentials')
  })

  it('is refused when nobody knows it, when it is shown twice, and for who is banned', async () => {
    expect((await signInWith(new Authenticator(origin))).error?.code).toBe('invalid_credentials')
    const key = new Authenticator(origin)
    const { userId } = await register(key)
    const first = await signInWith(key)
    const replayed = await experimentalClient().auth.passkey.verifyAuthentication(first)
    expect(replayed.error?.code).toBe('webauthn_challenge_expired')
    await gateway.service.auth.admin.updateUserById(userId, { ban_duration: '1h' })
    expect((await signInWith(key)).error?.code).toBe('user_banned')
  })
})
