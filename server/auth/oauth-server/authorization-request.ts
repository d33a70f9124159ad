import { authorizationParameter } from '@ovation/contract/paths'
import { GatewayError } from '../../http/errors.ts'
import { sql } from '../../postgres/sql.ts'
import { Body } from '../body.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { addressKeyOf, type RequestOrigin } from '../request-origin.ts'
import { findClient, type OAuthClient } from './clients.ts'
import { answerAddress, refusalAddress } from './redirect-address.ts'
import { covers, defaultScope, knownScopes, splitScopes } from './scopes.ts'

type Query = Readonly<Record<string, string | undefined>>
type Refusal = { readonly error: string; readonly description: string }

const lifetimeSeconds = 600

/**
 * `GET /oauth/authorize`: stores an application's request.
 * @returns where the browser goes: to the consent screen, or back to the application with an error.
 * @throws GatewayError 400 if the client or its redirect URI is unknown, because then nobody may be redirected; 429.
 */
export async function requestAuthorization(ctx: AuthContext, query: Query, visitor: RequestOrigin): Promise<string> {
  const wait = await ctx.limits.oauthAuthorize.take(addressKeyOf(visitor))
  if (wait > 0) throw authErrors.overRequestRate(wait)
  const asked = readRequest(query)
  const client = await findClient(ctx.db, asked.clientId)
  if (!client) throw authErrors.oauthClientUnknown()
  const { redirectUri } = asked
  if (redirectUri === undefined || !client.redirect_uris.includes(redirectUri)) {
    throw authErrors.validationFailed("redirect_uri must be one of the client's registered addresses")
  }
  const refusal = refuse(asked, client)
  if (refusal) {
    // Anyone can register a client, and must not make our URL redirect to theirs without a user's decision (RFC 9700 4.11.2).
    if (client.registration_type === 'dynamic') throw authErrors.validationFailed(refusal.description)
    return refusalAddress(ctx, { redirect_uri: redirectUri, state: asked.state ?? null }, refusal)
  }
  const [made] = await ctx.db.rows<{ id: string }>(sql`
    insert into auth.oauth_authorizations (client_id, redirect_uri, scope, state, resource, nonce, code_challenge, expires_at)
    values (${client.id}, ${redirectUri}, ${asked.scope}, ${asked.state ?? null}, ${asked.resource ?? null},
      ${asked.nonce ?? null}, ${asked.challenge ?? ''}, now() + make_interval(secs => ${lifetimeSeconds})) returning id`)
  if (!made) throw new Error('an authorization was inserted without a row')
  return answerAddress(consentScreen(ctx), { [authorizationParameter]: made.id })
}

const consentScreen = ({ siteUrl, config }: AuthContext) => `${siteUrl()}${config.auth.oauthServer.authorizationPath}`

/** The screen where a user reads why the request fails; a program gets the error itself. @throws our own failures. */
export function refusalScreen(ctx: AuthContext, error: unknown): string {
  if (error instanceof GatewayError && error.status < 500)
    return answerAddress(consentScreen(ctx), { error: error.code })
  throw error
}

function readRequest(query: Query) {
  const body = new Body({ body: query })
  return {
    clientId: body.text('client_id', 64),
    redirectUri: body.text('redirect_uri', 2048),
    responseType: body.text('response_type', 64) || 'code',
    state: body.text('state', 2048),
    scope: splitScopes(body.text('scope', 512) || defaultScope).join(' '),
    resource: body.text('resource', 2048),
    nonce: body.text('nonce', 512),
    challenge: body.text('code_challenge', 128),
    challengeMethod: body.text('code_challenge_method', 16),
    prompt: body.text('prompt', 64),
  }
}

/** Undefined for a valid request, which the user may decide about. */
function refuse(asked: ReturnType<typeof readRequest>, client: OAuthClient): Refusal | undefined {
  const { responseType, challenge = '', challengeMethod, resource } = asked
  if (responseType !== 'code') {
    return { error: 'unsupported_response_type', description: 'response_type must be code' }
  }
  if (challengeMethod?.toUpperCase() !== 'S256' || !/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    return {
      error: 'invalid_request',
      description: 'PKCE is required: code_challenge with code_challenge_method=S256',
    }
  }
  const allowed = client.scope === null ? knownScopes : splitScopes(client.scope)
  if (!covers(allowed, splitScopes(asked.scope))) {
    return { error: 'invalid_scope', description: `scope can have ${allowed.join(', ')}` }
  }
  if (resource !== undefined && (!URL.canParse(resource) || resource.includes('#'))) {
    return { error: 'invalid_target', description: 'resource must be an absolute URL without a fragment' }
  }
  if (asked.prompt === 'none') {
    return { error: 'interaction_required', description: 'The consent screen has to be shown' }
  }
  return undefined
}
