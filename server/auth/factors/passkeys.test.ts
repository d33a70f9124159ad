import { randomUUID } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../testing/gateway.ts'
import { Authenticator } from '../testing/authenticator.ts'
import { claimsOf, signUpWithTotp } from '../testing/factors.ts'
import { recordMethods } from '../testing/record-methods.ts'

const methods = recordMethods()

let gateway: TestGateway
let origin: string
beforeAll(async () => {
  gateway = await startGateway()
  origin = gateway.url.replace('127.0.0.1', 'localhost')
})
afterAll(() => gateway.close())

const withTotp = () => signUpWithTotp(gateway)

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
  it('each work once, for a user who lost the app', async () => {
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

  it('are created only with another factor, and deleted with the last one', async () => {
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

  it('signs in without a password, and can be named, listed, and removed', async () => {
    const key = new Authenticator(origin)
    const { client, registered, userId } = await register(key)
    expect(registered.error).toBeNull()
    const passkeyId = registered.data?.id ?? ''
    const signedIn = await signInWith(key)
    expect(signedIn.error).toBeNull()
    expect(signedIn.data?.session?.user.id).toBe(userId)
    key.count(2 ** 31) // the counter is an unsigned 32-bit integer
    expect((await signInWith(key)).error).toBeNull()
    expect((await signInWith(key)).error).toBeNull()
    expect(await claimsOf(signedIn.client)).toMatchObject({ amr: [{ method: 'passkey' }] })
    expect((await client.auth.passkey.update({ passkeyId, friendlyName: 'Laptop' })).error).toBeNull()
    expect((await client.auth.passkey.list()).data).toMatchObject([
      { id: passkeyId, friendly_name: 'Laptop', last_used_at: expect.any(String) },
    ])
    expect((await client.auth.passkey.delete({ passkeyId: randomUUID() })).error).toMatchObject({
      status: 404,
      code: 'validation_failed',
      message: 'Passkey not found',
    })
    expect((await client.auth.passkey.delete({ passkeyId })).error).toBeNull()
    expect((await signInWith(key)).error?.code).toBe('webauthn_verification_failed')
  })

  it('is rejected if unknown, if replayed, and for a banned user', async () => {
    expect((await signInWith(new Authenticator(origin))).error?.code).toBe('webauthn_verification_failed')
    const key = new Authenticator(origin)
    const { userId } = await register(key)
    const first = await signInWith(key)
    const replayed = await experimentalClient().auth.passkey.verifyAuthentication(first)
    expect(replayed.error).toMatchObject({ status: 400, code: 'webauthn_challenge_not_found' })
    await gateway.service.auth.admin.updateUserById(userId, { ban_duration: '1h' })
    expect((await signInWith(key)).error?.code).toBe('user_banned')
  })
})

it('none of this works for a session that was ended elsewhere, or for an unknown API key', async () => {
  const { email, password, userId } = await gateway.signUp()
  const client = experimentalClient()
  const { data: signedIn } = await client.auth.signInWithPassword({ email, password })
  const { data: asked } = await client.auth.passkey.startRegistration()
  const credential = new Authenticator(origin).create(asked?.options as never).toJSON() as never
  await gateway.query('delete from auth.sessions where user_id = $1', [userId])
  const { passkey, mfa } = client.auth
  for (const { error } of [
    await passkey.startRegistration(),
    await passkey.verifyRegistration({ challengeId: asked?.challenge_id ?? '', credential }),
    await passkey.update({ passkeyId: randomUUID(), friendlyName: 'Mine' }),
    await passkey.list(),
    await mfa.recoveryCodes.regenerate(),
    await mfa.recoveryCodes.unenroll(),
    await experimentalClient().auth.setSession(signedIn.session ?? expect.unreachable()),
  ])
    expect(error?.name).toBe('AuthSessionMissingError')
  const stranger = experimentalClient('sb_publishable_made_up')
  expect((await stranger.auth.passkey.startAuthentication()).error).toMatchObject({ code: 'invalid_api_key' })
})

it('calls every client method assigned to it, with success and with an error', () => methods.expectDriven('passkeys'))
