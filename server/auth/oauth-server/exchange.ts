import { createHash, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { GatewayError } from '../../http/errors.ts'
import { serviceRole } from '../../postgres/caller.ts'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import { timingSafeEqualText } from '../../timing-safe-equal.ts'
import { recordAudit } from '../audit.ts'
import type { Body } from '../body.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { addressKeyOf, type RequestOrigin } from '../request-origin.ts'
import { rotateRefreshToken } from '../sessions/refresh-session.ts'
import { hashToken, type Session, signAccessToken } from '../sessions/sessions.ts'
import { type Account, findAccount, isBanned } from '../users/account.ts'
import { authenticateClient } from './authenticate-client.ts'
import type { OAuthClient } from './clients.ts'
import { signIdToken } from './id-token.ts'
import { covers, splitScopes } from './scopes.ts'

/** The token response (RFC 6749 section 5.1). Data about the user comes from userinfo and the id_token, as the scopes allow. */
type TokenResponse = {
  readonly access_token: string
  readonly token_type: 'bearer'
  readonly expires_in: number
  readonly refresh_token?: string
  readonly scope: string
  readonly id_token?: string
}

/**
 * `POST /oauth/token`. Contract: RFC 6749, OAuth 2.1.
 * @throws GatewayError 400 `invalid_request`, `invalid_grant`, `invalid_scope`, `invalid_target`, `unauthorized_client`,
 * `unsupported_grant_type`; 401 `invalid_client`; 429.
 */
export async function exchangeGrant(
  ctx: AuthContext,
  request: FastifyRequest,
  form: Body,
  visitor: RequestOrigin,
): Promise<TokenResponse> {
  const wait = await ctx.limits.tokenRefresh.take(addressKeyOf(visitor))
  if (wait > 0) throw authErrors.overRequestRate(wait)
  const grant = form.text('grant_type')
  if (!grant) throw authErrors.oauthInvalidRequest('grant_type is required')
  const exchange = grants.get(grant)
  if (!exchange) throw authErrors.oauthUnsupportedGrantType()
  const client = await authenticateClient(ctx.db, request, form)
  if (!client.grant_types.includes(grant)) throw authErrors.oauthUnauthorizedClient()
  return exchange(ctx, client, form, visitor)
}

type Exchange = (ctx: AuthContext, client: OAuthClient, form: Body, visitor: RequestOrigin) => Promise<TokenResponse>

const grants: ReadonlyMap<string, Exchange> = new Map([
  ['authorization_code', exchangeCode],
  ['refresh_token', exchangeRefreshToken],
])

type Approved = {
  readonly id: string
  readonly user_id: string
  readonly redirect_uri: string
  readonly scope: string
  readonly resource: string | null
  readonly nonce: string | null
  readonly code_challenge: string
  readonly status: 'approved' | 'spent'
  readonly given_session_id: string | null
  readonly is_fresh: boolean
}

type Opened = { readonly account: Account; readonly session: Session; readonly nonce: string | null }

async function exchangeCode(ctx: AuthContext, client: OAuthClient, form: Body, visitor: RequestOrigin) {
  const code = form.text('code')
  const verifier = form.text('code_verifier')
  const redirectUri = form.text('redirect_uri', 2048)
  if (!code || !verifier) throw authErrors.oauthInvalidRequest('code and code_verifier are required')
  const refreshToken = client.grant_types.includes('refresh_token') ? randomBytes(24).toString('base64url') : undefined
  // The error is returned, not thrown, because ending the code's session has to be committed.
  const opened = await ctx.database.transaction(serviceRole, async (db): Promise<Opened | undefined> => {
    const [approved] = await db.rows<Approved>(sql`
      select a.id, a.user_id, a.redirect_uri, a.scope, a.resource, a.nonce, a.code_challenge, a.status, a.given_session_id,
        a.expires_at > now() as is_fresh
      from auth.oauth_authorizations a where a.code_hash = ${hashToken(code)} and a.client_id = ${client.id} for update`)
    if (!approved) return undefined
    if (approved.status === 'spent') {
      await endWhatItGave(db, approved, client, visitor)
      return undefined
    }
    // Under OAuth 2.1 section 10.2 the verifier suffices, but a client that sends the redirect URI must send the right one.
    if (redirectUri !== undefined && redirectUri !== approved.redirect_uri) return undefined
    if (!approved.is_fresh || !answers(verifier, approved)) return undefined
    requireSameTarget(form, approved)
    const account = await findAccount(db, approved.user_id)
    if (!account || account.deleted_at || isBanned(account)) return undefined
    const session = await openClientSession(db, client, approved, refreshToken, visitor)
    if (!session) return undefined
    await recordAudit(db, 'login', account, visitor, { provider: 'oauth_provider', client_id: client.id })
    return { account, session, nonce: approved.nonce }
  })
  if (!opened) throw authErrors.oauthInvalidGrant('The code is invalid, expired, used, or was issued to another client')
  return answerTokens(ctx, client, opened, refreshToken)
}

/** Two clients know the code, and one of them stole it (OAuth 2.1 section 4.1.3). */
async function endWhatItGave(db: CallerDb, approved: Approved, client: OAuthClient, visitor: RequestOrigin) {
  if (approved.given_session_id === null) return
  const account = await findAccount(db, approved.user_id)
  await db.rows(sql`delete from auth.sessions where id = ${approved.given_session_id}`)
  await recordAudit(db, 'oauth_code_reused', account, visitor, { client_id: client.id })
}

function answers(verifier: string, { code_challenge }: Approved): boolean {
  return timingSafeEqualText(createHash('sha256').update(verifier).digest('base64url'), code_challenge)
}

function requireSameTarget(form: Body, { resource }: Approved) {
  const asked = form.text('resource', 2048)
  if (asked !== undefined && asked !== resource) {
    throw authErrors.oauthInvalidTarget('resource must be the one of the authorization request')
  }
}

/** Undefined if the user has signed out since: the code ends with the session that approved it. */
async function openClientSession(
  db: CallerDb,
  client: OAuthClient,
  { id, scope }: Approved,
  refreshToken: string | undefined,
  { userAgent, ip }: RequestOrigin,
): Promise<Session | undefined> {
  const [opened] = await db.rows<{ id: string; aal: string; created_at: Date }>(sql`
    with opened as (
      insert into auth.sessions (user_id, user_agent, ip, aal, factor_id, not_after, oauth_client_id, oauth_scope)
      select s.user_id, ${userAgent}, ${ip}::inet, s.aal, s.factor_id, s.not_after, ${client.id}::uuid, ${scope}
      from auth.oauth_authorizations a join auth.sessions s on s.id = a.session_id and s.user_id = a.user_id
      where a.id = ${id} and (s.not_after is null or s.not_after > now())
      returning id, user_id, aal, created_at
    ), claim as (
      insert into auth.mfa_amr_claims (session_id, authentication_method) select id, ${authenticationMethod} from opened
    ), token as (
      insert into auth.refresh_tokens (token_hash, user_id, session_id)
      select ${refreshToken ? hashToken(refreshToken) : null}::text, user_id, id from opened where ${refreshToken !== undefined}
    )
    select id, aal, created_at from opened`)
  if (!opened) return undefined
  await db.rows(sql`
    update auth.oauth_authorizations set status = 'spent', given_session_id = ${opened.id} where id = ${id}`)
  const amr = [{ method: authenticationMethod, timestamp: Math.floor(opened.created_at.getTime() / 1000) }]
  return { id: opened.id, aal: opened.aal, amr, client: { id: client.id, scope } }
}

const authenticationMethod = 'oauth_provider/authorization_code'

async function exchangeRefreshToken(ctx: AuthContext, client: OAuthClient, form: Body, visitor: RequestOrigin) {
  const presented = form.text('refresh_token')
  if (!presented) throw authErrors.oauthInvalidRequest('refresh_token is required')
  const wanted = await readNarrowerScope(ctx, form, presented)
  const { account, session, refreshToken } = await rotateRefreshToken(ctx, presented, visitor, client.id).catch(
    (error: unknown) => {
      if (error instanceof GatewayError && error.status === 400) throw authErrors.oauthInvalidGrant(error.message)
      throw error
    },
  )
  const narrowed = { ...session, client: { id: client.id, scope: wanted ?? session.client?.scope ?? '' } }
  return answerTokens(ctx, client, { account, session: narrowed, nonce: null }, refreshToken)
}

/** Checked before the token is spent. Undefined if the client requests what it has. @throws GatewayError 400 `invalid_scope`. */
async function readNarrowerScope({ db }: AuthContext, form: Body, presented: string): Promise<string | undefined> {
  const text = form.text('scope', 512)
  if (text === undefined) return undefined
  const [session] = await db.rows<{ oauth_scope: string | null }>(sql`
    select s.oauth_scope from auth.refresh_tokens t join auth.sessions s on s.id = t.session_id
    where t.token_hash = ${hashToken(presented)}`)
  const wanted = splitScopes(text)
  if (session && !covers(splitScopes(session.oauth_scope ?? ''), wanted)) {
    throw authErrors.oauthInvalidScope('scope must not exceed what was granted')
  }
  return wanted.join(' ')
}

async function answerTokens(
  ctx: AuthContext,
  client: OAuthClient,
  { account, session, nonce }: Opened,
  refreshToken: string | undefined,
): Promise<TokenResponse> {
  const { accessToken, expiresIn } = await signAccessToken(ctx, account, session)
  const scope = session.client?.scope ?? ''
  const idToken = await signIdToken(ctx, account, { clientId: client.id, scopes: splitScopes(scope), nonce })
  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: expiresIn,
    ...(refreshToken && { refresh_token: refreshToken }),
    scope,
    ...(idToken && { id_token: idToken }),
  }
}
