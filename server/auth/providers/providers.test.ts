import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SupabaseClient } from '@supabase/supabase-js'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../testing/gateway.ts'
import { follow, patient, pkceClient } from '../testing/mailbox.ts'
import { startOpenIdProvider, type TestProvider } from '../testing/openid-provider.ts'
import { recordMethods } from '../testing/record-methods.ts'

const methods = recordMethods()

let gateway: TestGateway
let idp: TestProvider
let github: Server
const githubUser = { id: 7, login: 'octo', name: 'Octo Cat', avatar_url: 'https://example.com/o.png' }
let githubEmails = [{ email: 'octo@example.com', primary: true, verified: true }]

beforeAll(async () => {
  const redirectUri = 'http://127.0.0.1:1/auth/v1/callback'
  idp = await startOpenIdProvider(redirectUri)
  github = createServer((request, response) => {
    const answers: Record<string, unknown> = {
      '/login/oauth/access_token': { access_token: 'gh', token_type: 'bearer', scope: 'user:email' },
      '/api/v3/user': githubUser,
      '/api/v3/user/emails': githubEmails,
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answers[request.url ?? '']))
  })
  await new Promise<void>((resolve) => github.listen(0, '127.0.0.1', resolve))
  gateway = await startGateway({
    env: {
      ...patient,
      AUTH_EXTERNAL_KEYCLOAK_CLIENT_ID: 'ovation',
      AUTH_EXTERNAL_KEYCLOAK_SECRET: 'a secret of the two',
      AUTH_EXTERNAL_KEYCLOAK_URL: idp.issuer,
      AUTH_EXTERNAL_KEYCLOAK_REDIRECT_URI: redirectUri,
      AUTH_EXTERNAL_GITHUB_CLIENT_ID: 'ovation',
      AUTH_EXTERNAL_GITHUB_SECRET: 'secret',
      AUTH_EXTERNAL_GITHUB_URL: `http://127.0.0.1:${(github.address() as AddressInfo).port}`,
      AUTH_EXTERNAL_AWAY_CLIENT_ID: 'ovation',
      AUTH_EXTERNAL_AWAY_SECRET: 'secret',
      AUTH_EXTERNAL_AWAY_URL: 'http://127.0.0.1:1',
    },
  })
})
afterAll(async () => {
  await gateway.close()
  await idp.close()
  github.close()
})

/** The provider redirects browsers to the URL that it knows; this test's gateway listens elsewhere. */
const ours = (address: string) => address.replace('http://127.0.0.1:1', gateway.url)
const keycloak = 'keycloak' as const

async function begin(client: SupabaseClient, provider: 'keycloak' | 'github' = keycloak) {
  const { data } = await client.auth.signInWithOAuth({
    provider,
    options: { redirectTo: `${gateway.url}/welcome`, skipBrowserRedirect: true },
  })
  const { target, cookies } = await follow(data.url ?? '')
  return { url: target.href, cookie: cookies[0]?.split(';')[0] ?? '' }
}

async function signIn(client = pkceClient(gateway)) {
  const { url, cookie } = await begin(client)
  const back = await follow(ours(await idp.visit(url)), cookie)
  const code = back.target.searchParams.get('code')
  return { client, back, ...(code ? await client.auth.exchangeCodeForSession(code) : { data: null, error: null }) }
}

let serial = 0
function somebody(more: object = {}) {
  const sub = `subject-${++serial}`
  idp.person = { sub, email: `${sub}@example.com`, email_verified: true, name: 'Ada Example', ...more }
  return idp.person
}

describe('sign-in with an OpenID provider', () => {
  it('creates an account, and finds it again [API-AUTH-16] [API-AUTH-04]', async () => {
    const { sub, email } = somebody({ picture: 'https://example.com/a.png' })
    const first = await signIn()
    expect(first.error).toBeNull()
    expect(first.back.target.href).toMatch(`${gateway.url}/welcome?`)
    expect(first.data?.user).toMatchObject({
      email,
      email_confirmed_at: expect.any(String),
      app_metadata: { provider: keycloak, providers: [keycloak] },
      user_metadata: { full_name: 'Ada Example', avatar_url: 'https://example.com/a.png' },
      identities: [{ provider: keycloak, id: sub }],
    })
    const claims = decodeJwt(first.data?.session?.access_token ?? '')
    expect(claims.amr).toMatchObject([{ method: 'oauth' }])
    expect((await signIn()).data?.user?.id).toBe(first.data?.user?.id)
    const profile = await gateway.query('select display_name from public.profiles where user_id = $1', [
      first.data?.user?.id,
    ])
    expect(profile).toEqual([{ display_name: 'Ada Example' }])
  })

  it('gives the session behind # to the browser that began, and to no other', async () => {
    somebody()
    const { url, cookie } = await begin(gateway.client())
    const answer = ours(await idp.visit(url))
    const stranger = await begin(gateway.client())
    expect((await follow(answer, stranger.cookie)).fragment).toMatchObject({ error_code: 'bad_oauth_state' })
    const again = await begin(gateway.client())
    const { fragment } = await follow(ours(await idp.visit(again.url)), again.cookie)
    expect(fragment).toMatchObject({ access_token: expect.any(String), token_type: 'bearer' })
    expect(cookie).not.toBe(again.cookie)
  })

  it('accepts each response once, within minutes, and no invented one', async () => {
    somebody()
    const client = pkceClient(gateway)
    const { url } = await begin(client)
    const answer = ours(await idp.visit(url))
    expect((await follow(answer)).target.searchParams.has('code')).toBe(true)
    expect((await follow(answer)).fragment).toMatchObject({ error_code: 'bad_oauth_state' })
    expect((await follow(`${gateway.url}/auth/v1/callback?state=x&code=y`)).fragment).toMatchObject({
      error_code: 'bad_oauth_state',
    })
    const late = await begin(client)
    await gateway.query(`update auth.flow_state set created_at = now() - interval '1 hour'`)
    expect((await follow(ours(await idp.visit(late.url)))).fragment).toMatchObject({ error_code: 'bad_oauth_state' })
    const forged = await begin(client)
    const state = new URL(forged.url).searchParams.get('state') ?? ''
    expect((await follow(`${gateway.url}/auth/v1/callback?state=${state}&code=forged`)).fragment).toMatchObject({
      error_code: 'bad_oauth_callback',
    })
    const refused = await begin(client)
    const query = `state=${new URL(refused.url).searchParams.get('state')}&error=access_denied&error_description=No+thanks`
    expect((await follow(`${gateway.url}/auth/v1/callback?${query}`)).fragment).toMatchObject({
      error_description: 'No thanks',
    })
  })

  it('joins the account of a verified address, and takes it from a stranger who had not confirmed it', async () => {
    const { email = '' } = somebody()
    const { data: known } = await gateway.service.auth.admin.createUser({
      email,
      password: 'correct horse',
      email_confirm: true,
    })
    const joined = await signIn()
    expect(joined.data?.user).toMatchObject({ id: known.user?.id, app_metadata: { providers: ['email', keycloak] } })
    expect((await gateway.client().auth.signInWithPassword({ email, password: 'correct horse' })).error).toBeNull()

    const { email: squatted = '' } = somebody()
    await gateway.service.auth.admin.createUser({ email: squatted, password: 'of a stranger' })
    expect((await signIn()).data?.user).toMatchObject({ app_metadata: { providers: [keycloak] } })
    expect(
      (await gateway.client().auth.signInWithPassword({ email: squatted, password: 'of a stranger' })).error?.code,
    ).toBe('invalid_credentials')
  })

  it('rejects an address that the provider has not verified, and a banned user', async () => {
    somebody({ email_verified: false })
    expect((await signIn()).back.fragment).toMatchObject({ error_code: 'provider_email_needs_verification' })
    somebody()
    const { data } = await signIn()
    await gateway.service.auth.admin.updateUserById(data?.user?.id ?? '', { ban_duration: '1h' })
    expect((await signIn()).back.fragment).toMatchObject({ error_code: 'user_banned' })
  })

  it('reports that the provider is down, or unknown [D44]', async () => {
    const ask = async (provider: string) => {
      const response = await fetch(`${gateway.url}/auth/v1/authorize?provider=${provider}`, { redirect: 'manual' })
      return [response.status, await response.json()]
    }
    expect(await ask('away')).toMatchObject([502, { error_code: 'unexpected_failure' }])
    expect(await ask('facebook')).toMatchObject([400, { error_code: 'provider_disabled' }])
    expect(await ask('constructor')).toMatchObject([400, { error_code: 'provider_disabled' }])
  })

  it('redirects a form post to a request with our cookie', async () => {
    const response = await fetch(`${gateway.url}/auth/v1/callback`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ state: 's', code: 'c', user: '{"name":"x"}' }),
    })
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      `${gateway.url}/auth/v1/callback?state=s&code=c`,
    ])
  })
})

describe('sign-in with GitHub', () => {
  it('reads the user and the primary address', async () => {
    const client = pkceClient(gateway)
    const { url } = await begin(client, 'github')
    expect(new URL(url).searchParams.get('scope')).toBe('user:email')
    const state = new URL(url).searchParams.get('state')
    const { target } = await follow(`${gateway.url}/auth/v1/callback?state=${state}&code=c`)
    const { data } = await client.auth.exchangeCodeForSession(target.searchParams.get('code') ?? '')
    expect(data.user).toMatchObject({
      email: 'octo@example.com',
      user_metadata: { preferred_username: 'octo', full_name: 'Octo Cat' },
      identities: [{ provider: 'github', id: '7' }],
    })
  })

  it('rejects an unverified one', async () => {
    githubEmails = [{ email: 'other@example.com', primary: true, verified: false }]
    githubUser.id = 8
    const { url } = await begin(pkceClient(gateway), 'github')
    const state = new URL(url).searchParams.get('state')
    const { fragment } = await follow(`${gateway.url}/auth/v1/callback?state=${state}&code=c`)
    expect(fragment).toMatchObject({ error_code: 'provider_email_needs_verification' })
  })
})

describe('identities', () => {
  async function confirmedPerson() {
    const email = `owner${++serial}@example.com`
    await gateway.service.auth.admin.createUser({ email, password: 'correct horse', email_confirm: true })
    const client = pkceClient(gateway)
    const { data } = await client.auth.signInWithPassword({ email, password: 'correct horse' })
    return { client, email, userId: data.user?.id }
  }

  async function link(client: SupabaseClient) {
    const { data, error } = await client.auth.linkIdentity({
      provider: keycloak,
      options: { redirectTo: `${gateway.url}/settings` },
    })
    expect(error).toBeNull()
    return follow(ours(await idp.visit(data.url ?? '')))
  }

  it('are linked to the signed-in account, and unlinked, except the last [API-AUTH-17] [API-AUTH-18]', async () => {
    somebody()
    const { client, userId, email } = await confirmedPerson()
    const { target } = await link(client)
    await client.auth.exchangeCodeForSession(target.searchParams.get('code') ?? '')
    expect((await gateway.client().auth.getUserIdentities()).error?.name).toBe('AuthSessionMissingError')
    const nowhere = { provider: 'nowhere', options: { skipBrowserRedirect: true } } as never
    expect((await client.auth.linkIdentity(nowhere)).error?.code).toBe('provider_disabled')
    const { data } = await client.auth.getUserIdentities()
    expect(data?.identities.map(({ provider }) => provider)).toEqual(['email', keycloak])
    expect((await signIn()).data?.user).toMatchObject({ id: userId, email })

    const [own, linked] = data?.identities ?? []
    expect(own && (await client.auth.unlinkIdentity(own)).error).toBeNull()
    expect((await client.auth.getUser()).data.user).toMatchObject({ id: userId, email: idp.person.email })
    expect(linked && (await client.auth.unlinkIdentity(linked)).error?.code).toBe('single_identity_not_deletable')
    expect(own && (await client.auth.unlinkIdentity(own)).error?.code).toBe('identity_not_found')
  })

  it('are rejected if they are already linked, or belong to another user', async () => {
    somebody()
    await signIn()
    const { client } = await confirmedPerson()
    expect((await link(client)).fragment).toMatchObject({ error_code: 'identity_already_exists' })
  })
})

describe('a stranger who sends a user through their own linking flow', () => {
  it('gets nothing: only the browser that began can link the identity', async () => {
    const { sub, email } = somebody()
    const stranger = pkceClient(gateway)
    await stranger.auth.signUp({ email: 'mallory@example.com', password: 'correct horse battery' })
    await gateway.query(`update auth.users set email_confirmed_at = now() where email = 'mallory@example.com'`)
    await stranger.auth.signInWithPassword({ email: 'mallory@example.com', password: 'correct horse battery' })
    const { data } = await stranger.auth.linkIdentity({
      provider: keycloak,
      options: { redirectTo: `${gateway.url}/settings`, skipBrowserRedirect: true },
    })
    // Another user follows it and is signed in there. The code ends up in their browser, which doesn't know the verifier.
    const led = await follow(ours(await idp.visit(data?.url ?? '')))
    const code = led.target.searchParams.get('code') ?? ''
    expect((await pkceClient(gateway).auth.exchangeCodeForSession(code)).error).not.toBeNull()
    expect(await gateway.query('select from auth.identities where provider_id = $1', [sub])).toEqual([])
    const own = await signIn()
    expect(own.data?.user?.email).toBe(email)
  })
})

describe('an ID token from the provider', () => {
  async function idToken(nonce?: string) {
    const verifier = 'v'.repeat(43)
    const query = new URLSearchParams({
      client_id: 'ovation',
      redirect_uri: 'http://127.0.0.1:1/auth/v1/callback',
      response_type: 'code',
      scope: 'openid email profile',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...(nonce && { nonce: createHash('sha256').update(nonce).digest('hex') }),
    })
    const back = new URL(await idp.visit(`${idp.issuer}/auth?${query}`))
    const response = await fetch(`${idp.issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: back.searchParams.get('code') ?? '',
        redirect_uri: 'http://127.0.0.1:1/auth/v1/callback',
        code_verifier: verifier,
        client_id: 'ovation',
        client_secret: 'a secret of the two',
      }),
    })
    return ((await response.json()) as { id_token: string }).id_token
  }

  it('signs in, with the nonce of its request [API-AUTH-05]', async () => {
    const { email } = somebody()
    const grant = { provider: keycloak, token: await idToken('once') }
    const { auth } = gateway.client()
    expect((await auth.signInWithIdToken(grant)).error?.code).toBe('validation_failed')
    expect((await auth.signInWithIdToken({ ...grant, nonce: 'twice' })).error?.message).toBe('Nonces mismatch')
    const { data, error } = await auth.signInWithIdToken({ ...grant, nonce: 'once' })
    expect(error).toBeNull()
    expect(data.user?.email).toBe(email)
  })

  it("links to the user's own account", async () => {
    const client = gateway.client()
    const email = `linker${++serial}@example.com`
    await gateway.service.auth.admin.createUser({ email, password: 'correct horse', email_confirm: true })
    await client.auth.signInWithPassword({ email, password: 'correct horse' })
    somebody()
    const { data, error } = await client.auth.linkIdentity({ provider: keycloak, token: await idToken() })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ email, app_metadata: { providers: ['email', keycloak] } })
  })

  it('is rejected if it is forged, changed, or from an unconfigured issuer', async () => {
    somebody()
    const token = await idToken()
    const [head, , signature] = token.split('.')
    const forged = `${head}.${Buffer.from(JSON.stringify({ ...decodeJwt(token), sub: 'root' })).toString('base64url')}.${signature}`
    const { auth } = gateway.client()
    expect((await auth.signInWithIdToken({ provider: keycloak, token: forged })).error?.code).toBe(
      'invalid_credentials',
    )
    expect((await auth.signInWithIdToken({ provider: keycloak, token: 'x.y.z' })).error?.code).toBe(
      'invalid_credentials',
    )
    expect((await auth.signInWithIdToken({ provider: keycloak, token: gateway.secrets.anonKey })).error?.code).toBe(
      'invalid_credentials',
    )
    expect((await auth.signInWithIdToken({ provider: 'google', token })).error?.code).toBe('provider_disabled')
  })
})

it('calls every client method assigned to it, with success and with an error', () => methods.expectDriven('providers'))
