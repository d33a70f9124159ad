import { randomUUID } from 'node:crypto'
import { decodeJwt, exportJWK, generateKeyPair } from 'jose'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../testing/gateway.ts'
import { sweepAccounts } from '../sweep-accounts.ts'
import { codeOf, enroll } from '../testing/factors.ts'
import { redirectUri, registerApp } from '../testing/oauth-app.ts'
import { recordMethods } from '../testing/record-methods.ts'

const methods = recordMethods()

let gateway: TestGateway
beforeAll(async () => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), kid: 'one', alg: 'ES256' }
  gateway = await startGateway({
    env: {
      AUTH_OAUTH_SERVER_ENABLED: '1',
      AUTH_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION: '1',
      AUTH_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: '0',
      AUTH_RATE_LIMIT_OAUTH_DYNAMIC_CLIENT_REGISTER: '3',
      JWT_SIGNING_KEYS: JSON.stringify({ keys: [key] }),
    },
  })
})
afterAll(() => gateway.close())

const auth = (path: string, init: RequestInit = {}) => fetch(`${gateway.url}/auth/v1${path}`, init)
const as = (token = '') => ({ headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } })
const own = (token: string | undefined, path = '/rest/v1/profiles?select=id&limit=1') =>
  fetch(`${gateway.url}${path}`, as(token)).then(({ status }) => status)

describe('registered clients', () => {
  it('are created, listed, read, changed, and deleted with the service key', async () => {
    const { oauth } = gateway.service.auth.admin
    const { data: made } = await oauth.createClient({
      client_name: 'Reader',
      client_uri: 'https://reader.example',
      redirect_uris: [redirectUri],
    })
    const id = made?.client_id ?? ''
    expect(made).toMatchObject({
      client_name: 'Reader',
      client_type: 'confidential',
      token_endpoint_auth_method: 'client_secret_basic',
      registration_type: 'manual',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
    })
    const [stored] = await gateway.query('select to_jsonb(c)::text as row from auth.oauth_clients c where id = $1', [
      id,
    ])
    expect(stored?.row).not.toContain(made?.client_secret)
    const { data: listed } = await oauth.listClients({ page: 1, perPage: 1 })
    expect(listed).toMatchObject({ clients: [{ client_id: id }], total: expect.any(Number) })
    expect((await oauth.getClient(id)).data?.client_secret).toBeUndefined()
    expect((await oauth.updateClient(id, { client_name: 'Renamed' })).data).toMatchObject({
      client_name: 'Renamed',
      client_uri: 'https://reader.example',
    })
    const { data: renewed } = await oauth.regenerateClientSecret(id)
    expect(renewed?.client_secret).not.toBe(made?.client_secret)
    expect((await oauth.deleteClient(id)).error).toBeNull()
    expect((await oauth.getClient(id)).error).toMatchObject({ status: 404, code: 'oauth_client_not_found' })
  })

  it('are closed to users, and rejected if incomplete or unsafe', async () => {
    const { client } = await gateway.signUp()
    const { oauth } = gateway.service.auth.admin
    expect((await client.auth.admin.oauth.listClients()).error?.code).toBe('not_admin')
    const bad = { status: 400, code: 'validation_failed' }
    for (const uri of [
      'http://app.example/callback',
      'https://app.example/callback#here',
      'javascript:alert(1)',
      'https://user:secret@app.example',
      'app.example:/callback',
      'https://evil.example\\@app.example/callback',
      'https:app.example/callback',
      'https:///app.example/callback',
    ]) {
      expect((await oauth.createClient({ client_name: 'App', redirect_uris: [uri] })).error).toMatchObject(bad)
    }
    expect((await oauth.createClient({ client_name: 'App', redirect_uris: [] })).error).toMatchObject(bad)
    const wrong = { client_name: 'App', redirect_uris: [redirectUri] }
    expect((await oauth.createClient({ ...wrong, client_uri: 'javascript:alert(1)' })).error).toMatchObject(bad)
    for (const client_name of ['App\nis safe', '\u202eppA', 'App\u2028is safe'])
      expect((await oauth.createClient({ ...wrong, client_name })).error).toMatchObject(bad)
    expect((await oauth.createClient({ ...wrong, grant_types: ['password'] })).error).toMatchObject(bad)
    expect((await oauth.createClient({ ...wrong, scope: 'everything' })).error).toMatchObject(bad)
    for (const { error } of [
      await oauth.updateClient(randomUUID(), { client_name: 'App' }),
      await oauth.deleteClient(randomUUID()),
      await oauth.regenerateClientSecret(randomUUID()),
    ]) {
      expect(error).toMatchObject({ status: 404, code: 'oauth_client_not_found' })
    }
    const publicApp = await registerApp(gateway, { token_endpoint_auth_method: 'none' })
    expect(publicApp.secret).toBeUndefined()
    expect((await oauth.regenerateClientSecret(publicApp.id)).error).toMatchObject(bad)
    expect(
      (await oauth.updateClient(publicApp.id, { token_endpoint_auth_method: 'client_secret_post' })).error,
    ).toMatchObject(bad)
  })

  it('can register themselves if the operator allows it, a few from one address', async () => {
    const register = () =>
      auth('/oauth/clients/register', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' }),
      })
    const first = await register()
    expect(first.status).toBe(201)
    const made = (await first.json()) as { client_id: string }
    expect(made).toMatchObject({ client_name: 'app.example', registration_type: 'dynamic', client_type: 'public' })
    expect([(await register()).status, (await register()).status]).toEqual([201, 201])
    const refused = await register()
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    // A registered client must not make our URL lead to theirs by an error.
    const bad = new URLSearchParams({ client_id: made.client_id, redirect_uri: redirectUri, response_type: 'token' })
    expect((await auth(`/oauth/authorize?${bad}`, { redirect: 'manual' })).status).toBe(400)
    await gateway.query("update auth.oauth_clients set created_at = now() - interval '31 days' where id = $1", [
      made.client_id,
    ])
    await sweepAccounts(gateway.services.database.service, gateway.services.config.auth)
    expect(await gateway.query('select id from auth.oauth_clients where id = $1', [made.client_id])).toEqual([])
  })
})

describe("the server's metadata", () => {
  it('is where applications look for it', async () => {
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-authorization-server/auth/v1',
      '/auth/v1/.well-known/oauth-authorization-server',
      '/auth/v1/.well-known/openid-configuration',
    ]) {
      const response = await fetch(gateway.url + path)
      const issuer = `${gateway.url}/auth/v1`
      expect([path, await response.json()]).toEqual([
        path,
        expect.objectContaining({
          issuer,
          authorization_endpoint: `${issuer}/oauth/authorize`,
          token_endpoint: `${issuer}/oauth/token`,
          userinfo_endpoint: `${issuer}/oauth/userinfo`,
          registration_endpoint: `${issuer}/oauth/clients/register`,
          jwks_uri: `${issuer}/.well-known/jwks.json`,
          code_challenge_methods_supported: ['S256'],
          id_token_signing_alg_values_supported: ['ES256'],
        }),
      ])
    }
  })
})

describe('a request for access', () => {
  it('leads to the consent screen, which shows the application and its scopes', async () => {
    const app = await registerApp(gateway)
    const { client, userId, email } = await gateway.signUp()
    const screen = await app.begin({ scope: 'openid profile' })
    expect(screen.href).toMatch(`${gateway.url}/oauth/consent?authorization_id=`)
    const id = screen.searchParams.get('authorization_id') ?? ''
    expect((await client.auth.oauth.getAuthorizationDetails(id)).data).toEqual({
      authorization_id: id,
      redirect_uri: redirectUri,
      client: { id: app.id, name: 'Reader', uri: '', logo_uri: '' },
      user: { id: userId, email },
      scope: 'openid profile',
    })
    const stranger = await gateway.signUp()
    const notFound = { status: 404, code: 'oauth_authorization_not_found' }
    for (const { error } of [
      await stranger.client.auth.oauth.getAuthorizationDetails(id),
      await stranger.client.auth.oauth.approveAuthorization(id),
      await stranger.client.auth.oauth.denyAuthorization(id),
    ]) {
      expect(error).toMatchObject(notFound)
    }
    await gateway.query('update auth.oauth_authorizations set expires_at = now() where id = $1', [id])
    expect((await client.auth.oauth.approveAuthorization(id)).error).toMatchObject(notFound)
  })

  it('goes back with an OAuth error, and nowhere if its redirect URI is not registered', async () => {
    const app = await registerApp(gateway, { scope: 'email' })
    const errorOf = async (overrides: Record<string, string>) => {
      const { origin, searchParams } = await app.begin(overrides)
      return [origin, searchParams.get('error'), searchParams.get('state'), searchParams.get('iss')]
    }
    const back = (error: string) => ['https://app.example', error, 'a state', `${gateway.url}/auth/v1`]
    expect(await errorOf({ response_type: 'token' })).toEqual(back('unsupported_response_type'))
    expect(await errorOf({ code_challenge: '' })).toEqual(back('invalid_request'))
    expect(await errorOf({ code_challenge_method: 'plain' })).toEqual(back('invalid_request'))
    expect(await errorOf({ scope: 'openid' })).toEqual(back('invalid_scope'))
    expect(await errorOf({ resource: 'not a URL' })).toEqual(back('invalid_target'))
    expect(await errorOf({ prompt: 'none' })).toEqual(back('interaction_required'))
    const nowhere: Record<string, string>[] = [
      { redirect_uri: `${redirectUri}/` },
      { redirect_uri: 'https://evil.example/callback' },
      { redirect_uri: '' },
      { client_id: randomUUID() },
      { client_id: 'x' },
    ]
    for (const overrides of nowhere) {
      const response = await fetch(app.address(overrides), { redirect: 'manual' })
      expect([response.status, response.headers.get('location')]).toEqual([400, null])
    }
  })

  it('is answered once, and denied with access_denied', async () => {
    const app = await registerApp(gateway)
    const { client } = await gateway.signUp()
    const denied = await app.ask(client, 'deny')
    expect(Object.fromEntries(denied.searchParams)).toMatchObject({ error: 'access_denied', state: 'a state' })
    const id = await app.beginId()
    expect((await client.auth.oauth.approveAuthorization(id)).error).toBeNull()
    expect((await client.auth.oauth.denyAuthorization(id)).error?.code).toBe('oauth_authorization_not_found')
  })

  it("needs no consent for what was already allowed, but does for more, and for a client that can't prove its identity", async () => {
    const app = await registerApp(gateway)
    const { client } = await gateway.signUp()
    await app.connect(client, { scope: 'email profile' })
    const again = await client.auth.oauth.getAuthorizationDetails(await app.beginId({ scope: 'email' }))
    const code = new URL((again.data as { redirect_url: string }).redirect_url).searchParams.get('code') ?? ''
    expect((await app.exchange(code)).status).toBe(200)
    const more = await client.auth.oauth.getAuthorizationDetails(await app.beginId({ scope: 'phone' }))
    expect(more.data).toHaveProperty('authorization_id')
    const native = await registerApp(gateway, {
      token_endpoint_auth_method: 'none',
      redirect_uris: ['http://127.0.0.1:4455/callback'],
    })
    expect((await native.connect(client)).tokens.access_token).toBeDefined()
    const asked = await client.auth.oauth.getAuthorizationDetails(await native.beginId())
    expect(asked.data).toHaveProperty('authorization_id')
  })

  it('requires the second factor of an account that has one, and passes it on', async () => {
    const app = await registerApp(gateway)
    const { client, email, password } = await gateway.signUp()
    const { factorId, secret } = await enroll(client)
    await client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret, -1) })
    const { tokens } = await app.connect(client)
    expect(decodeJwt(tokens.access_token ?? '').aal).toBe('aal2')
    expect(await own(tokens.access_token)).toBe(200)
    const half = gateway.client()
    await half.auth.signInWithPassword({ email, password })
    const id = await app.beginId()
    for (const { error } of [
      await half.auth.oauth.getAuthorizationDetails(id),
      await half.auth.oauth.approveAuthorization(id),
      await half.auth.oauth.revokeGrant({ clientId: app.id }),
    ]) {
      expect(error).toMatchObject({ status: 403, code: 'insufficient_aal' })
    }
  })
})

describe('an application using openid-client', () => {
  it.each(['client_secret_basic', 'client_secret_post', 'none'] as const)(
    'signs a user in by code, with %s',
    async (method) => {
      const registered = await registerApp(gateway, { token_endpoint_auth_method: method })
      const { client, userId, email, username } = await gateway.signUp()
      const proof = {
        client_secret_basic: openid.ClientSecretBasic,
        client_secret_post: openid.ClientSecretPost,
        none: openid.None,
      }[method]
      const config = await openid.discovery(
        new URL(`${gateway.url}/auth/v1`),
        registered.id,
        undefined,
        proof(registered.secret ?? ''),
        { execute: [openid.allowInsecureRequests] },
      )
      const [verifier, state, nonce] = [openid.randomPKCECodeVerifier(), openid.randomState(), openid.randomNonce()]
      const address = openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      const screen = await fetch(address, { redirect: 'manual' })
      const id = new URL(screen.headers.get('location') ?? '').searchParams.get('authorization_id') ?? ''
      const { data } = await client.auth.oauth.approveAuthorization(id)
      const tokens = await openid.authorizationCodeGrant(config, new URL(data?.redirect_url ?? ''), {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
      })
      expect(tokens.claims()).toMatchObject({ sub: userId, email, email_verified: true, preferred_username: username })
      expect(await openid.fetchUserInfo(config, tokens.access_token, userId)).toEqual({
        sub: userId,
        email,
        email_verified: true,
        name: username,
        preferred_username: username,
      })
      const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '')
      expect(decodeJwt(renewed.access_token)).toMatchObject({ sub: userId, client_id: registered.id })
    },
  )
})

describe('a code', () => {
  it('works only with its client, its redirect URI, and its verifier, and in an active session', async () => {
    const app = await registerApp(gateway)
    const other = await registerApp(gateway)
    const { client } = await gateway.signUp()
    const code = (await app.ask(client)).searchParams.get('code') ?? ''
    const wrong = [
      await app.exchange(code, { code_verifier: 'a'.repeat(43) }),
      await app.exchange(code, { redirect_uri: 'https://app.example/other' }),
      await other.exchange(code, { code_verifier: app.verifier }),
      await app.exchange('no code'),
    ]
    expect(wrong.map(({ status, body }) => [status, body.error])).toEqual(wrong.map(() => [400, 'invalid_grant']))
    expect((await app.exchange(code, { resource: 'https://api.example' })).body.error).toBe('invalid_target')
    expect((await app.exchange(code)).body).toMatchObject({ token_type: 'bearer', scope: 'email' })
    const late = (await app.ask(client)).searchParams.get('code') ?? ''
    await gateway.query('update auth.oauth_authorizations set expires_at = now() where client_id = $1', [app.id])
    expect((await app.exchange(late)).body.error).toBe('invalid_grant')
    const left = (await app.ask(client)).searchParams.get('code') ?? ''
    await client.auth.signOut({ scope: 'local' })
    expect((await app.exchange(left)).body.error).toBe('invalid_grant')
  })

  it('ends its session if it is used again', async () => {
    const app = await registerApp(gateway)
    const { client } = await gateway.signUp()
    const { code, tokens } = await app.connect(client)
    expect(await own(tokens.access_token)).toBe(200)
    expect((await app.exchange(code)).body.error).toBe('invalid_grant')
    await expect.poll(() => own(tokens.access_token)).toBe(401)
    expect((await app.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
  })

  it('gives one session to two simultaneous exchanges, and then none', async () => {
    const app = await registerApp(gateway)
    const { client, userId } = await gateway.signUp()
    const code = (await app.ask(client)).searchParams.get('code') ?? ''
    const answers = await Promise.all([app.exchange(code), app.exchange(code)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    const left = 'select id from auth.sessions where user_id = $1 and oauth_client_id is not null'
    expect(await gateway.query(left, [userId])).toEqual([])
  })
})

describe('the token endpoint', () => {
  it('returns errors in OAuth’s format', async () => {
    const app = await registerApp(gateway)
    const single = await registerApp(gateway, { grant_types: ['authorization_code'] })
    const errorOf = async (fields: Record<string, string>, headers: Record<string, string> = {}) => {
      const { status, body } = await app.post(fields, headers)
      return [status, body.error, typeof body.error_description]
    }
    const known = { client_id: app.id, client_secret: app.secret ?? '' }
    const refresh = { grant_type: 'refresh_token', refresh_token: 'x' }
    const basic = (secret: string) => ({ authorization: `Basic ${btoa(`${app.id}:${secret}`)}` })
    expect(await errorOf({})).toEqual([400, 'invalid_request', 'string'])
    expect(await errorOf({ ...known, grant_type: 'password' })).toEqual([400, 'unsupported_grant_type', 'string'])
    expect(await errorOf({ ...known, grant_type: 'authorization_code' })).toEqual([400, 'invalid_request', 'string'])
    expect(await errorOf({ ...known, ...refresh })).toEqual([400, 'invalid_grant', 'string'])
    const invalidClient = [401, 'invalid_client', 'string']
    expect(await errorOf({ ...refresh, client_id: app.id })).toEqual(invalidClient)
    expect(await errorOf({ ...refresh, client_id: app.id, client_secret: 'wrong' })).toEqual(invalidClient)
    expect(await errorOf(refresh)).toEqual(invalidClient)
    expect(await errorOf(refresh, basic('wrong'))).toEqual(invalidClient)
    expect(await errorOf(refresh, basic(app.secret ?? ''))).toEqual([400, 'invalid_grant', 'string'])
    expect(await errorOf({ ...known, ...refresh }, basic('x'))).toEqual([400, 'invalid_request', 'string'])
    const { client } = await gateway.signUp()
    const { tokens } = await single.connect(client)
    expect([tokens.refresh_token, typeof tokens.access_token]).toEqual([undefined, 'string'])
    expect((await single.refresh('x')).body.error).toBe('unauthorized_client')
    const json = await auth('/oauth/token', { method: 'POST', body: '{', ...as(gateway.secrets.anonKey) })
    expect([json.status, await json.json()]).toEqual([400, expect.objectContaining({ error: 'invalid_request' })])
  })

  it('rotates refresh tokens only for their client, and ends a session whose token is reused', async () => {
    const app = await registerApp(gateway)
    const other = await registerApp(gateway)
    const { client } = await gateway.signUp()
    const { tokens } = await app.connect(client, { scope: 'email profile' })
    const first = tokens.refresh_token ?? ''
    expect((await other.refresh(first)).body.error).toBe('invalid_grant')
    const { error } = await gateway.client().auth.refreshSession({ refresh_token: first })
    expect(error?.code).toBe('refresh_token_not_found')
    const ownRefresh = (await client.auth.getSession()).data.session?.refresh_token
    expect((await app.refresh(ownRefresh)).body.error).toBe('invalid_grant')
    const second = await app.refresh(first, { scope: 'profile' })
    expect([second.body.scope, decodeJwt(second.body.access_token ?? '').scope]).toEqual(['profile', 'profile'])
    const third = await app.refresh(second.body.refresh_token)
    expect(third.body.scope).toBe('email profile')
    expect((await app.refresh(third.body.refresh_token, { scope: 'phone' })).body.error).toBe('invalid_scope')
    expect((await app.refresh(third.body.refresh_token)).status).toBe(200)
    expect((await app.refresh(first)).body.error).toBe('invalid_grant')
    await expect.poll(() => own(third.body.access_token)).toBe(401)
    expect((await client.auth.getUser()).error).toBeNull()
  })
})

describe('an application', () => {
  it("acts as the user, but can't change the account's protection, move money, or use admin permissions", async () => {
    const app = await registerApp(gateway)
    const { client, userId } = await gateway.signUp()
    await gateway.query("insert into public.user_roles (user_id, role) values ($1, 'admin')", [userId])
    const { tokens } = await app.connect(client)
    const token = tokens.access_token
    expect(decodeJwt(token ?? '')).toMatchObject({ client_id: app.id, role: 'authenticated', sub: userId })
    const user = await auth('/user', as(token))
    expect([user.status, ((await user.json()) as { id: string }).id]).toEqual([200, userId])
    const refused = [
      await auth('/user', { method: 'PUT', body: '{"password":"another horse battery"}', ...as(token) }),
      await auth('/user/oauth/grants', as(token)),
      await auth('/factors', { method: 'POST', body: '{"factor_type":"totp"}', ...as(token) }),
      await auth('/logout?scope=others', { method: 'POST', ...as(token) }),
      await fetch(`${gateway.url}/functions/v1/delete-own-account`, { method: 'POST', body: '{}', ...as(token) }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
    const rpc = (bearer: string | undefined, name: string, body: object) =>
      fetch(`${gateway.url}/rest/v1/rpc/${name}`, { method: 'POST', body: JSON.stringify(body), ...as(bearer) })
    expect((await rpc(token, 'end_own_session', { session_id: randomUUID() })).status).toBe(403)
    const suspend = { profile_id: randomUUID(), reason: 'x' }
    expect((await rpc(token, 'suspend_user', suspend)).status).toBe(403)
    const mine = (await client.auth.getSession()).data.session?.access_token
    expect((await rpc(mine, 'suspend_user', suspend)).status).toBe(404)
    expect((await auth('/logout', { method: 'POST', ...as(token) })).status).toBe(204)
    await expect.poll(() => own(token)).toBe(401)
    expect((await client.auth.getUser()).error).toBeNull()
  })

  it('rejects an ID token in every API', async () => {
    const app = await registerApp(gateway)
    const { client } = await gateway.signUp()
    const { tokens } = await app.connect(client, { scope: 'openid', nonce: 'n' })
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({ aud: app.id, nonce: 'n' })
    expect(await own(tokens.id_token)).toBe(401)
    expect((await auth('/user', as(tokens.id_token))).status).toBe(401)
  })

  it('returns no more than its scopes cover', async () => {
    const app = await registerApp(gateway)
    const { client, userId } = await gateway.signUp()
    const { tokens } = await app.connect(client, { scope: 'openid' })
    expect(await (await auth('/oauth/userinfo', as(tokens.access_token))).json()).toEqual({ sub: userId })
    expect((await auth('/oauth/userinfo')).status).toBe(401)
  })
})

describe('a connected application', () => {
  it('is listed, exported, and revoked, which ends the application’s tokens on every API', async () => {
    const app = await registerApp(gateway)
    const { client, userId } = await gateway.signUp()
    const { tokens } = await app.connect(client, { scope: 'email profile' })
    const waiting = (await app.ask(client)).searchParams.get('code') ?? ''
    expect((await client.auth.oauth.listGrants()).data).toEqual([
      {
        client: { id: app.id, name: 'Reader', uri: '', logo_uri: '' },
        scopes: ['email', 'profile'],
        granted_at: expect.any(String),
      },
    ])
    const [copy] = await gateway.query<{ account: object }>(
      `with me as materialized (select set_config('request.jwt.claims', $1, true))
       select auth.export_account() as account from me`,
      [JSON.stringify({ sub: userId })],
    )
    expect(copy?.account).toMatchObject({ connected_apps: [{ name: 'Reader', scopes: ['email', 'profile'] }] })
    expect((await client.auth.oauth.revokeGrant({ clientId: app.id })).error).toBeNull()
    await expect.poll(() => own(tokens.access_token)).toBe(401)
    await expect.poll(() => own(tokens.access_token, '/storage/v1/bucket')).toBe(401)
    expect((await app.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
    expect((await app.exchange(waiting)).body.error).toBe('invalid_grant')
    expect((await client.auth.oauth.listGrants()).data).toEqual([])
    expect((await client.auth.oauth.revokeGrant({ clientId: app.id })).error).toMatchObject({
      status: 404,
      code: 'oauth_consent_not_found',
    })
    expect((await client.auth.getUser()).error).toBeNull()
    await client.auth.signOut()
    expect((await client.auth.oauth.listGrants()).error?.name).toBe('AuthSessionMissingError')
  })

  it('is deleted with the account and with the client', async () => {
    const app = await registerApp(gateway)
    const [hard, soft, stays] = [await gateway.signUp(), await gateway.signUp(), await gateway.signUp()]
    for (const { client } of [hard, soft, stays]) await app.connect(client)
    const left = () =>
      gateway.query<{ user_id: string }>(
        `select user_id from auth.oauth_consents where client_id = $1
         union select user_id from auth.sessions where oauth_client_id = $1
         union select user_id from auth.oauth_authorizations where client_id = $1`,
        [app.id],
      )
    await gateway.service.auth.admin.deleteUser(hard.userId)
    await gateway.service.auth.admin.deleteUser(soft.userId, true)
    expect(await left()).toEqual([{ user_id: stays.userId }])
    await gateway.service.auth.admin.oauth.deleteClient(app.id)
    expect(await left()).toEqual([])
  })
})

it('calls every client method assigned to it, with success and with an error', () =>
  methods.expectDriven('oauth-server/oauth-server'))
