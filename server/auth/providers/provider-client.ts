import * as openid from 'openid-client'
import { isLoopback } from '../../http/loopback.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { type ProviderPerson, personFromClaims } from './provider-person.ts'
import type { ProviderSettings } from './provider-settings.ts'

/** Our side's state while the user is at the service. */
export type ProviderSecrets = { readonly nonce: string; readonly verifier: string }

const timeoutSeconds = 8

/** @throws GatewayError 400 `provider_disabled` for a service that isn't configured (D44). */
export function requireProvider({ config }: AuthContext, name: string | undefined): ProviderSettings {
  const provider = config.auth.providers.get(name ?? '')
  if (!provider) {
    throw authErrors.providerDisabled(name ? `Provider ${JSON.stringify(name)}` : 'Sign-in with another service')
  }
  return provider
}

export function callbackUrl({ siteUrl }: AuthContext, { redirectUri }: ProviderSettings): string {
  return redirectUri ?? `${siteUrl()}/auth/v1/callback`
}

const discovered = new WeakMap<ProviderSettings, Promise<openid.Configuration>>()

/** The service's metadata, requested once; again after a failure. */
export function describeProvider(provider: ProviderSettings): Promise<openid.Configuration> {
  const known = discovered.get(provider)
  if (known) return known
  const asked = provider.kind === 'github' ? Promise.resolve(describeGithub(provider)) : discover(provider)
  discovered.set(provider, asked)
  asked.catch(() => discovered.delete(provider))
  return asked
}

function discover({ url, clientIds, secret }: ProviderSettings): Promise<openid.Configuration> {
  const execute = isLocal(url) ? [openid.allowInsecureRequests] : []
  return openid.discovery(new URL(url), clientIds[0] ?? '', secret, undefined, { execute, timeout: timeoutSeconds })
}

/** GitHub supports OAuth 2.0 without discovery. */
function describeGithub({ url, clientIds, secret }: ProviderSettings): openid.Configuration {
  const endpoints = {
    issuer: url,
    authorization_endpoint: `${url}/login/oauth/authorize`,
    token_endpoint: `${url}/login/oauth/access_token`,
  }
  const configuration = new openid.Configuration(endpoints, clientIds[0] ?? '', secret)
  if (isLocal(url)) openid.allowInsecureRequests(configuration)
  configuration.timeout = timeoutSeconds
  return configuration
}

/** Without TLS only on this machine: for tests and development. */
function isLocal(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && isLoopback(hostname)
}

/** The service's URL for the user, and the state to remember. */
export async function beginAtProvider(
  ctx: AuthContext,
  provider: ProviderSettings,
  { state, scopes }: { readonly state: string; readonly scopes: string | undefined },
): Promise<{ readonly url: string; readonly secrets: ProviderSecrets }> {
  const secrets = { nonce: openid.randomNonce(), verifier: openid.randomPKCECodeVerifier() }
  const configuration = await describeProvider(provider)
  const url = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: callbackUrl(ctx, provider),
    scope: scopes ? `${provider.scopes} ${scopes}` : provider.scopes,
    state,
    code_challenge: await openid.calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: 'S256',
    ...(provider.kind === 'openid' && { nonce: secrets.nonce }),
    ...(provider.postsBack && { response_mode: 'form_post' }),
  })
  return { url: url.href, secrets }
}

/** The returned user, after checking state, nonce, verifier, and signatures. @throws any error from openid-client. */
export async function finishAtProvider(
  ctx: AuthContext,
  provider: ProviderSettings,
  answer: { readonly query: URLSearchParams; readonly state: string; readonly secrets: ProviderSecrets },
): Promise<ProviderPerson> {
  const configuration = await describeProvider(provider)
  const url = new URL(callbackUrl(ctx, provider))
  url.search = answer.query.toString()
  const isOpenId = provider.kind === 'openid'
  const tokens = await openid.authorizationCodeGrant(configuration, url, {
    expectedState: answer.state,
    pkceCodeVerifier: answer.secrets.verifier,
    ...(isOpenId && { expectedNonce: answer.secrets.nonce, idTokenExpected: true }),
  })
  if (!isOpenId) return readGithubPerson(provider, tokens.access_token)
  const claims = tokens.claims()
  if (!claims) throw new Error('the provider sent no ID token')
  // Many services return address and name only from the userinfo endpoint.
  const more = configuration.serverMetadata().userinfo_endpoint
    ? await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    : {}
  return personFromClaims(provider.name, { ...more, ...claims })
}

async function readGithubPerson({ name, url }: ProviderSettings, accessToken: string): Promise<ProviderPerson> {
  const api = url === 'https://github.com' ? 'https://api.github.com' : `${url}/api/v3`
  const get = async (path: string): Promise<unknown> => {
    const response = await fetch(`${api}${path}`, {
      headers: {
        authorization: `Bearer ${accessToken}`,
        accept: 'application/vnd.github+json',
        'user-agent': 'ovation',
      },
      signal: AbortSignal.timeout(timeoutSeconds * 1000),
    })
    if (!response.ok) throw new Error(`GitHub returned ${response.status} for ${path}`)
    return response.json()
  }
  const user = (await get('/user')) as { id: number; login: string; name: string | null; avatar_url: string }
  const emails = (await get('/user/emails')) as { email: string; primary: boolean; verified: boolean }[]
  const email = emails.find(({ primary }) => primary)
  return personFromClaims(name, {
    iss: api,
    sub: String(user.id),
    name: user.name ?? user.login,
    picture: user.avatar_url,
    preferred_username: user.login,
    email: email?.email,
    email_verified: email?.verified,
  })
}
