import { randomUUID } from 'node:crypto'
import { AuthClient } from '@supabase/supabase-js'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { startGateway, type TestGateway } from '../testing/gateway.ts'
import { Authenticator } from './testing/authenticator.ts'
import { drivenIn } from './testing/driven-methods.ts'
import { codeOf, enroll } from './testing/factors.ts'
import { buildProbe, publicMethods, recordMethods } from './testing/record-methods.ts'

const methods = recordMethods()

let gateway: TestGateway
let origin: string
beforeAll(async () => {
  gateway = await startGateway({ env: { AUTH_JWT_EXP: '60' } })
  origin = gateway.url.replace('127.0.0.1', 'localhost')
})
afterAll(() => gateway.close())
afterEach(() => void vi.unstubAllGlobals())

describe("the client's methods", () => {
  it('each have a test that calls them', () => {
    const names = publicMethods(buildProbe()).map(({ name }) => name)
    expect(new Set(names)).toEqual(new Set(Object.keys(drivenIn)))
  })
})

describe('in a browser', () => {
  /** The parts of a browser that the client looks for, with an authenticator. */
  function openBrowser(key: Authenticator) {
    class PublicKeyCredential {}
    const location = new URL(origin)
    const as = (made: object) => Object.assign(new PublicKeyCredential(), made)
    vi.stubGlobal('PublicKeyCredential', PublicKeyCredential)
    vi.stubGlobal('document', { addEventListener: () => undefined, visibilityState: 'visible' })
    vi.stubGlobal('window', { location, PublicKeyCredential, addEventListener: () => undefined })
    vi.stubGlobal('navigator', {
      credentials: {
        create: async ({ publicKey }: { publicKey: never }) => as(key.create(publicKey)),
        get: async ({ publicKey }: { publicKey: never }) => as(key.get(publicKey)),
      },
    })
  }

  it('registers a security key and signs with it; another key is rejected', async () => {
    const { client, email, password } = await gateway.signUp()
    const key = new Authenticator(origin)
    openBrowser(key)
    const { webauthn } = client.auth.mfa
    expect((await webauthn.register({ friendlyName: 'Key' })).error).toBeNull()
    const factorId = (await client.auth.mfa.listFactors()).data?.webauthn[0]?.id ?? ''
    const later = gateway.client()
    await later.auth.signInWithPassword({ email, password })
    openBrowser(new Authenticator(origin))
    expect((await later.auth.mfa.webauthn.authenticate({ factorId })).error).toMatchObject({
      code: 'mfa_verification_failed',
    })
    openBrowser(key)
    expect((await later.auth.mfa.webauthn.authenticate({ factorId })).error).toBeNull()
    expect((await later.auth.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe('aal2')
  })

  it('does the same step by step', async () => {
    const { client } = await gateway.signUp()
    openBrowser(new Authenticator(origin))
    const { webauthn } = client.auth.mfa
    const { data: factor } = await webauthn.enroll({ friendlyName: 'Key' })
    const asked = { factorId: factor?.id ?? '', webauthn: { rpId: 'localhost', rpOrigins: [origin] } }
    const { data } = await webauthn.challenge(asked)
    if (!data) return expect.unreachable()
    const answer = {
      ...asked,
      challengeId: data.challengeId,
      webauthn: { ...asked.webauthn, ...data.webauthn },
    } as const
    expect((await webauthn.verify({ ...answer, challengeId: randomUUID() } as never)).error?.code).toBe(
      'mfa_challenge_expired',
    )
    expect((await webauthn.verify(answer as never)).error).toBeNull()
  })

  it('registers a passkey and signs in with it; an admin sees and removes it', async () => {
    const { client, userId } = await gateway.signUp()
    openBrowser(new Authenticator(origin))
    expect((await client.auth.registerPasskey()).error).toBeNull()
    const visitor = gateway.client()
    expect((await visitor.auth.signInWithPasskey()).data?.user?.id).toBe(userId)
    const { passkey } = gateway.service.auth.admin
    const { data: passkeys } = await passkey.listPasskeys({ userId })
    expect(passkeys).toHaveLength(1)
    const passkeyId = passkeys?.[0]?.id ?? ''
    expect((await passkey.deletePasskey({ userId, passkeyId: randomUUID() })).error).toMatchObject({
      status: 404,
      code: 'validation_failed',
    })
    expect((await passkey.deletePasskey({ userId, passkeyId })).error).toBeNull()
    expect((await visitor.auth.signInWithPasskey()).error?.code).toBe('webauthn_verification_failed')
    expect((await client.auth.admin.passkey.listPasskeys({ userId })).error?.code).toBe('not_admin')
  })
})

describe('a session that was ended elsewhere', () => {
  it("can't register a key", async () => {
    const { client, userId } = await gateway.signUp()
    await gateway.query('delete from auth.sessions where user_id = $1', [userId])
    const { webauthn } = client.auth.mfa
    const asked = { factorId: randomUUID(), webauthn: { rpId: 'localhost', rpOrigins: [origin] } }
    for (const { error } of [
      await webauthn.enroll({ friendlyName: 'Key' }),
      await webauthn.challenge(asked),
      await webauthn.register({ friendlyName: 'Key', ...asked.webauthn } as never),
      await client.auth.registerPasskey(),
    ])
      expect(error).not.toBeNull()
    expect(await gateway.query('select from auth.mfa_factors where user_id = $1', [userId])).toEqual([])
  })
})

describe('a client by itself', () => {
  it('notifies listeners of each event of the session [AUTH-23]', async () => {
    const { email, password } = await gateway.signUp()
    const client = gateway.client()
    const { auth } = client
    const events: string[] = []
    const { data: listener } = auth.onAuthStateChange((event) => void events.push(event))
    await eventually(() => expect(events).toEqual(['INITIAL_SESSION']))
    await auth.signInWithPassword({ email, password })
    await auth.refreshSession()
    await auth.updateUser({ data: { color: 'red' } })
    const { factorId, secret } = await enroll(client)
    await auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret) })
    const { data } = await gateway.service.auth.admin.generateLink({ type: 'recovery', email })
    await auth.verifyOtp({ type: 'recovery', token_hash: data.properties?.hashed_token ?? '' })
    await auth.signOut()
    // This gateway's tokens expire in a minute, so the client also refreshes in between.
    expect([...new Set(events)]).toEqual([
      'INITIAL_SESSION',
      'SIGNED_IN',
      'TOKEN_REFRESHED',
      'USER_UPDATED',
      'MFA_CHALLENGE_VERIFIED',
      'PASSWORD_RECOVERY',
      'SIGNED_OUT',
    ])
    listener.subscription.unsubscribe()
  })

  it('restores its session, notifies listeners, renews a session that is about to end, and stops [AUTH-25]', async () => {
    const stored = new Map<string, string>()
    const build = () =>
      new AuthClient({
        url: `${gateway.url}/auth/v1`,
        headers: { apikey: gateway.secrets.anonKey },
        storageKey: 'sb-test-auth-token',
        autoRefreshToken: false,
        storage: {
          getItem: (name) => stored.get(name) ?? null,
          setItem: (name, value) => void stored.set(name, value),
          removeItem: (name) => void stored.delete(name),
        },
      })
    const { email, password } = await gateway.signUp()
    const first = build()
    await first.signInWithPassword({ email, password })
    const second = build()
    expect((await second.initialize()).error).toBeNull()
    expect(second.isThrowOnErrorEnabled()).toBe(false)
    const events: string[] = []
    const { data } = second.onAuthStateChange((event) => void events.push(event))
    // A token of one minute is within the 90 seconds before its end from the start, so the first tick renews it.
    await second.startAutoRefresh()
    await eventually(() => expect(events).toContain('TOKEN_REFRESHED'))
    await second.stopAutoRefresh()
    await second.signOut()
    expect(events).toEqual(expect.arrayContaining(['INITIAL_SESSION', 'SIGNED_OUT']))
    data.subscription.unsubscribe()
    await second.dispose()
    expect(stored.has('sb-test-auth-token')).toBe(false)
  })

  it('can be signed out by the service key with its token, and by nobody else', async () => {
    const { client } = await gateway.signUp()
    const token = (await client.auth.getSession()).data.session?.access_token ?? ''
    expect((await gateway.service.auth.admin.signOut('no token')).error?.status).toBe(401)
    expect((await gateway.service.auth.admin.signOut(token, 'global')).error).toBeNull()
    expect((await client.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
  })
})

describe("this installation isn't", () => {
  const disabled = { status: 400, code: 'provider_disabled' }

  it('an OAuth server for other applications, unless the operator turns it on', async () => {
    const { client } = await gateway.signUp()
    expect((await client.auth.oauth.listGrants()).error).toMatchObject(disabled)
    expect((await gateway.service.auth.admin.oauth.listClients()).error).toMatchObject(disabled)
    const token = await fetch(`${gateway.url}/auth/v1/oauth/token`, { method: 'POST' })
    expect([token.status, await token.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'The OAuth server is not enabled' },
    ])
  })

  it('a place to add sign-in providers at run time: they are configured', async () => {
    const { customProviders } = gateway.service.auth.admin
    for (const { error } of [
      await customProviders.listProviders(),
      await customProviders.createProvider({ identifier: 'custom:x', name: 'X', provider_type: 'oidc' } as never),
      await customProviders.getProvider('custom:x'),
      await customProviders.updateProvider('custom:x', { name: 'Y' }),
      await customProviders.deleteProvider('custom:x'),
    ]) {
      expect(error).toMatchObject(disabled)
    }
  })
})

it('calls every client method assigned to it, with success and with an error', () =>
  methods.expectDriven('client-methods'))
