import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startGateway, type TestGateway } from '../testing/gateway.ts'
import { auditActions } from './audit.ts'
import { Authenticator } from './testing/authenticator.ts'
import { codeOf, enroll } from './testing/factors.ts'
import { startIdentityProvider } from './testing/identity-provider.ts'
import { codeIn, follow, messageTo, patient, pkceClient } from './testing/mailbox.ts'
import { registerApp } from './testing/oauth-app.ts'
import { startOpenIdProvider, type TestProvider } from './testing/openid-provider.ts'

let gateway: TestGateway
let idp: TestProvider
const redirectUri = 'http://127.0.0.1:1/auth/v1/callback'
const password = 'correct horse battery'

beforeAll(async () => {
  idp = await startOpenIdProvider(redirectUri)
  gateway = await startGateway({
    env: {
      ...patient,
      AUTH_SAML_ENABLED: '1',
      AUTH_OAUTH_SERVER_ENABLED: '1',
      AUTH_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: '0',
      AUTH_EXTERNAL_KEYCLOAK_CLIENT_ID: 'ovation',
      AUTH_EXTERNAL_KEYCLOAK_SECRET: 'a secret of the two',
      AUTH_EXTERNAL_KEYCLOAK_URL: idp.issuer,
      AUTH_EXTERNAL_KEYCLOAK_REDIRECT_URI: redirectUri,
    },
  })
})
afterAll(async () => {
  await gateway.close()
  await idp.close()
})

type Entry = { readonly action: string; readonly actor_id?: string; readonly traits: Record<string, unknown> }

async function entries(): Promise<Entry[]> {
  const rows = await gateway.query<{ payload: Entry }>('select payload from auth.audit_log_entries order by created_at')
  return rows.map(({ payload }) => payload)
}

let serial = 0
async function person(): Promise<Person> {
  const email = `audited${++serial}@example.com`
  const { data } = await gateway.service.auth.admin.createUser({ email, password, email_confirm: true })
  const client = pkceClient(gateway)
  await client.auth.signInWithPassword({ email, password })
  return { client, email, password, userId: data.user?.id ?? '', profileId: '', username: '' }
}

async function admin(method: string, path: string, body?: object) {
  const { serviceRoleKey: key } = gateway.secrets
  const response = await fetch(`${gateway.url}/auth/v1/admin/sso/providers${path}`, {
    method,
    headers: { apikey: key, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await response.json()) as { id: string }
}

/** Each step causes one or several entries. */
const deeds: readonly (() => Promise<unknown>)[] = [
  async function signsUpTwice() {
    const { auth } = gateway.client()
    const email = `new${++serial}@example.com`
    await auth.signUp({ email, password })
    await auth.verifyOtp({ email, token: codeIn(await messageTo(gateway, email)), type: 'signup' })
    await gateway.client().auth.signUp({ email, password })
    await gateway.client().auth.resetPasswordForEmail(email)
    await messageTo(gateway, email, 3)
  },
  async function changesTheAccount() {
    const { client, email } = await person()
    await client.auth.updateUser({ data: { nickname: 'Ada' } })
    await client.auth.reauthenticate()
    await client.auth.updateUser({ password: 'another horse battery', nonce: codeIn(await messageTo(gateway, email)) })
    await client.auth.signOut()
  },
  async function goes() {
    // Deleting the account deletes its entries; only the deletion itself stays.
    await gateway.service.auth.admin.deleteUser((await person()).userId)
  },
  async function usesFactors() {
    const { client, userId } = await person()
    const { factorId, secret } = await enroll(client)
    await client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret, -1) })
    const { data } = await client.auth.mfa.recoveryCodes.generate()
    await client.auth.mfa.recoveryCodes.verify({ code: data?.codes[0] ?? '' })
    const second = await enroll(client, 'Second')
    await client.auth.mfa.challengeAndVerify({ factorId: second.factorId, code: codeOf(second.secret, -1) })
    await client.auth.mfa.unenroll({ factorId: second.factorId })
    await gateway.service.auth.admin.mfa.deleteFactor({ userId, id: factorId })
  },
  async function usesPasskeys() {
    const { client } = await person()
    const { data } = await client.auth.passkey.startRegistration()
    const key = new Authenticator(gateway.url.replace('127.0.0.1', 'localhost'))
    const made = key.create(data?.options as never).toJSON() as never
    const registered = await client.auth.passkey.verifyRegistration({
      challengeId: data?.challenge_id ?? '',
      credential: made,
    })
    await client.auth.passkey.delete({ passkeyId: registered.data?.id ?? '' })
  },
  async function linksAndUnlinks() {
    const { client } = await person()
    idp.person = { sub: 'linked', email: 'linked@example.com', email_verified: true }
    const { data } = await client.auth.linkIdentity({ provider: 'keycloak', options: { skipBrowserRedirect: true } })
    const back = await follow((await idp.visit(data?.url ?? '')).replace('http://127.0.0.1:1', gateway.url))
    await client.auth.exchangeCodeForSession(back.target.searchParams.get('code') ?? '')
    const identities = (await client.auth.getUserIdentities()).data?.identities ?? []
    const linked = identities.find(({ provider }) => provider === 'keycloak')
    if (linked) await client.auth.unlinkIdentity(linked)
  },
  async function usesARefreshTokenAgain() {
    const { client } = await person()
    const stolen = (await client.auth.getSession()).data.session?.refresh_token ?? ''
    await client.auth.refreshSession()
    await gateway.client().auth.refreshSession({ refresh_token: stolen })
  },
  async function invites() {
    await gateway.service.auth.admin.inviteUserByEmail('invited@example.com')
  },
  async function connectsAnApp() {
    const app = await registerApp(gateway)
    const { client } = await person()
    await app.ask(client, 'deny')
    const { tokens, code } = await app.connect(client)
    expect(tokens.access_token).toBeDefined()
    await app.exchange(code)
    await client.auth.oauth.revokeGrant({ clientId: app.id })
    const { oauth } = gateway.service.auth.admin
    await oauth.updateClient(app.id, { client_name: 'Renamed' })
    await oauth.regenerateClientSecret(app.id)
    await oauth.deleteClient(app.id)
  },
  async function registersACompany() {
    const company = await startIdentityProvider()
    const { id } = await admin('POST', '', { type: 'saml', metadata_xml: company.metadata() })
    await admin('PUT', `/${id}`, { domains: ['example.org'] })
    await admin('DELETE', `/${id}`)
    await company.close()
  },
]

describe('the audit log', () => {
  it('has an entry of each kind, with the actor and no secrets', async () => {
    for (const deed of deeds) await deed()
    const written = await entries()
    const expected = [...Object.keys(auditActions), 'token_revoked'].filter((action) => action !== 'login_failed')
    expect(new Set(written.map(({ action }) => action))).toEqual(new Set(expected))
    const anonymous = new Set(written.filter(({ actor_id }) => !actor_id).map(({ action }) => action))
    expect(anonymous).toEqual(
      new Set([
        'sso_provider_created',
        'sso_provider_modified',
        'sso_provider_deleted',
        'oauth_client_created',
        'oauth_client_modified',
        'oauth_client_secret_regenerated',
        'oauth_client_deleted',
      ]),
    )
    expect(JSON.stringify(written)).not.toMatch(/horse battery|eyJ/)
  })

  it('records failed attempts: wrong passwords, codes, factors, passkeys, and nonces', async () => {
    const { client, email, userId } = await person()
    const { factorId, secret } = await enroll(client)
    await client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret, -1) })
    await client.auth.mfa.recoveryCodes.generate()
    const known = (await entries()).length
    const visitor = gateway.client()
    await visitor.auth.signInWithPassword({ email, password: 'a wrong password' })
    await visitor.auth.verifyOtp({ email, token: '000000', type: 'email' })
    await client.auth.mfa.challengeAndVerify({ factorId, code: '000000' })
    await client.auth.mfa.recoveryCodes.verify({ code: 'aaaaa-aaaaa' })
    await client.auth.updateUser({ data: { a: 'b' }, nonce: '000000' })
    await client.auth.updateUser({ data: { a: 'b' }, current_password: 'a wrong password' } as never)
    const { data } = await visitor.auth.passkey.startAuthentication()
    const key = new Authenticator(gateway.url.replace('127.0.0.1', 'localhost'))
    const credential = key.get(data?.options as never).toJSON() as never
    await visitor.auth.passkey.verifyAuthentication({ challengeId: data?.challenge_id ?? '', credential })
    const refused = (await entries()).slice(known)
    expect(refused.map(({ action, actor_id }) => [action, actor_id ?? 'nobody'])).toEqual([
      ...Array.from({ length: 6 }, () => ['login_failed', userId]),
      ['login_failed', 'nobody'],
    ])
    expect(refused.map(({ traits }) => traits.proof ?? traits.provider ?? traits.reason ?? 'factor')).toEqual([
      'email',
      'email',
      'factor',
      'recovery_code',
      'reauthentication',
      'current password',
      'passkey',
    ])
  })
})
