import { hash, randomBytes } from 'node:crypto'
import { pendingSecondFactor } from '../../http/caller.ts'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import type { AuthContext } from '../context.ts'
import type { RequestOrigin } from '../request-origin.ts'
import type { Account } from '../users/account.ts'
import { type RenderedUser, renderUser } from '../users/render-user.ts'
import { noteDevice } from './login-alert.ts'

/** How a session was authenticated, with the time in seconds: the `amr` claim. */
export type Amr = readonly { readonly method: string; readonly timestamp: number }[]
export type Session = {
  readonly id: string
  readonly aal: string
  readonly amr: Amr
  /** The application that acts in it, with its scopes; undefined for the user's own sign-in. */
  readonly client?: { readonly id: string; readonly scope: string } | undefined
}

/** The response of the token paths (supabase/auth `internal/tokens`). `expires_at` is in seconds of the epoch. */
export type SessionResponse = {
  readonly access_token: string
  readonly token_type: 'bearer'
  readonly expires_in: number
  readonly expires_at: number
  readonly refresh_token: string
  readonly user: RenderedUser
}

/** How the user has just authenticated: the token's `amr` method (`password`, `otp`, …) and the identity used. */
export type SignInProof = {
  readonly method: string
  readonly provider: string
  /** When the session has to end; undefined for no limit. */
  readonly notAfter?: Date | undefined
}

/** Opens a session for an account that has just authenticated. */
export async function openSession(
  ctx: AuthContext,
  db: CallerDb,
  account: Account,
  { method, provider, notAfter }: SignInProof,
  visitor: RequestOrigin,
): Promise<SessionResponse> {
  const refreshToken = randomBytes(24).toString('base64url')
  const [opened] = await db.rows<{ id: string; created_at: Date }>(sql`
    with session as (
      insert into auth.sessions (user_id, user_agent, ip, not_after)
      values (${account.id}, ${visitor.userAgent}, ${visitor.ip}, ${notAfter ?? null})
      returning id, user_id, created_at
    ), claim as (
      insert into auth.mfa_amr_claims (session_id, authentication_method) select id, ${method} from session
    ), token as (
      insert into auth.refresh_tokens (token_hash, user_id, session_id)
      select ${hashToken(refreshToken)}, user_id, id from session
    ), seen as (
      update auth.users u set last_sign_in_at = s.created_at, updated_at = s.created_at from session s where u.id = s.user_id
    ), proved as (
      update auth.identities i set last_sign_in_at = s.created_at from session s where i.user_id = s.user_id and i.provider = ${provider}
    )
    select id, created_at from session`)
  if (!opened) throw new Error('a session was inserted without a row')
  await noteDevice(ctx, db, account, visitor)
  if (!lacksSecondFactor(account, { aal: 'aal1' })) visitor.signedInAs?.(account)
  const { id, created_at: at } = opened
  const amr = [{ method, timestamp: Math.floor(at.getTime() / 1000) }]
  const identities = account.identities.map((identity) =>
    identity.provider === provider ? { ...identity, last_sign_in_at: at.toISOString() } : identity,
  )
  const seen = { ...account, identities, last_sign_in_at: at, updated_at: at }
  return answerSession(ctx, seen, { id, aal: 'aal1', amr }, refreshToken)
}

/** Signs an access token for the session and builds the response. */
export async function answerSession(
  ctx: AuthContext,
  account: Account,
  session: Session,
  refreshToken: string,
): Promise<SessionResponse> {
  const { accessToken, issuedAt, expiresIn } = await signAccessToken(ctx, account, session)
  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: expiresIn,
    expires_at: issuedAt + expiresIn,
    refresh_token: refreshToken,
    user: renderUser(account),
  }
}

/** Signed before its transaction ends: what the account's owner then reads is there. */
const committedWithinMs = 5_000

/** Claims as in supabase/auth `internal/tokens/service.go`. `client_id` identifies an application that acts, for policies and for us. */
export async function signAccessToken(
  { config, database, tokens, siteUrl }: AuthContext,
  account: Account,
  session: Session,
) {
  const expiresIn = config.auth.jwtExp
  const issuedAt = Math.floor(Date.now() / 1000)
  const claims = {
    iss: `${siteUrl()}/auth/v1`,
    sub: account.id,
    aud: account.aud,
    iat: issuedAt,
    exp: issuedAt + expiresIn,
    email: account.email ?? '',
    phone: account.phone ?? '',
    app_metadata: account.raw_app_meta_data,
    user_metadata: account.raw_user_meta_data,
    role: account.role,
    aal: session.aal,
    amr: session.amr,
    session_id: session.id,
    is_anonymous: account.is_anonymous,
    ...(session.client && { client_id: session.client.id, scope: session.client.scope }),
    ...(lacksSecondFactor(account, session) && pendingSecondFactor),
  }
  await database.stayOnPrimary(account.id, committedWithinMs)
  return { accessToken: await tokens.sign(claims, expiresIn), issuedAt, expiresIn }
}

/** Until the second factor is verified, the token works only in auth/v1 (AUTH-19, http/caller.ts). */
function lacksSecondFactor({ factors }: Account, { aal }: Pick<Session, 'aal'>): boolean {
  return aal === 'aal1' && factors.some(({ status }) => status === 'verified')
}

/** SHA-256 in hex: tokens are random enough that a plain hash can't be reversed. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex')
}
