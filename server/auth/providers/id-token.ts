import { createHash } from 'node:crypto'
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose'
import { serviceRole } from '../../postgres/caller.ts'
import { timingSafeEqualText } from '../../timing-safe-equal.ts'
import { recordAudit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { requireFullAssurance } from '../factors/factors.ts'
import { addressKeyOf, type RequestOrigin } from '../request-origin.ts'
import type { Requester } from '../sessions/requester.ts'
import { openSession, type SessionResponse } from '../sessions/sessions.ts'
import { accountOf, linkIdentity } from './link-identity.ts'
import { describeProvider, requireProvider } from './provider-client.ts'
import { personFromClaims } from './provider-person.ts'
import type { ProviderSettings } from './provider-settings.ts'

export type IdTokenGrant = {
  readonly provider: string | undefined
  readonly idToken: string
  readonly accessToken: string | undefined
  readonly nonce: string | undefined
  /** The user who links the identity to their account; undefined for a sign-in. */
  readonly requester: Requester | undefined
}

/**
 * Signs in with a token that an app got from the provider itself (API-AUTH-05), or links its identity to the user's account.
 * @throws GatewayError 400 `provider_disabled`, `validation_failed`, `unexpected_audience`, `invalid_credentials`; 422; 429; 502.
 */
export async function grantByIdToken(
  ctx: AuthContext,
  grant: IdTokenGrant,
  visitor: RequestOrigin,
): Promise<SessionResponse> {
  const provider = requireProvider(ctx, grant.provider)
  if (provider.kind !== 'openid') throw authErrors.validationFailed(`${provider.name} issues no ID tokens`)
  const wait = await ctx.limits.signIn.take(addressKeyOf(visitor))
  if (wait > 0) throw authErrors.overRequestRate(wait)
  const claims = await verifyIdToken(provider, grant.idToken)
  requireNonceMatch(claims, grant.nonce)
  requireAccessTokenMatch(claims, grant.accessToken)
  const person = personFromClaims(provider.name, claims)
  if (person.id === '') throw authErrors.badIdToken()
  const { requester } = grant
  if (requester) requireFullAssurance(requester, authErrors.aal2ToChange)
  return ctx.database.transaction(serviceRole, async (db) => {
    const account = requester
      ? await linkIdentity(db, requester.account, person, visitor)
      : await accountOf(ctx, db, person, visitor)
    await recordAudit(db, 'login', account, visitor, { provider: provider.name })
    return openSession(ctx, db, account, { method: 'oauth', provider: provider.name }, visitor)
  })
}

const keySets = new WeakMap<ProviderSettings, ReturnType<typeof createRemoteJWKSet>>()

async function verifyIdToken(provider: ProviderSettings, idToken: string): Promise<JWTPayload> {
  const { issuer, jwks_uri } = await describeProvider(provider).then(
    (configuration) => configuration.serverMetadata(),
    (cause: unknown) => {
      throw authErrors.providerUnreachable(cause)
    },
  )
  const keys = keySets.get(provider) ?? createRemoteJWKSet(new URL(jwks_uri ?? issuer))
  keySets.set(provider, keys)
  const { payload } = await jwtVerify(idToken, keys, {
    // Google has also issued tokens under its bare host name.
    issuer: [issuer, issuer.replace('https://accounts.google.com', 'accounts.google.com')],
    algorithms: ['RS256', 'ES256', 'PS256', 'EdDSA'],
    clockTolerance: 5,
  }).catch(() => {
    throw authErrors.badIdToken()
  })
  const audiences = [payload.aud ?? []].flat()
  if (!audiences.some((audience) => provider.clientIds.includes(audience))) throw authErrors.unexpectedAudience()
  return payload
}

/** The app sends the nonce itself, the token contains its hash: the token alone is useless. */
function requireNonceMatch({ nonce: claimed }: JWTPayload, nonce: string | undefined) {
  if ((claimed === undefined) !== (nonce === undefined)) {
    throw authErrors.validationFailed('Passed nonce and nonce in id_token should either both exist or not.')
  }
  if (nonce === undefined) return
  const hashed = createHash('sha256').update(nonce).digest('hex')
  if (typeof claimed !== 'string' || !timingSafeEqualText(hashed, claimed))
    throw authErrors.validationFailed('Nonces mismatch')
}

/** OpenID Connect Core 1.0, section 3.2.2.9: the left half of the hash. */
function requireAccessTokenMatch({ at_hash: claimed }: JWTPayload, accessToken: string | undefined) {
  if (claimed === undefined || accessToken === undefined) return
  const half = createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url')
  if (typeof claimed !== 'string' || !timingSafeEqualText(half, claimed))
    throw authErrors.validationFailed('Access token mismatch')
}
