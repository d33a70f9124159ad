import { sql } from '../../postgres/sql.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { addressKeyOf, type RequestOrigin } from '../request-origin.ts'
import { type Account, accountColumns } from '../users/account.ts'
import { type Amr, answerSession, hashToken, type Session, type SessionResponse } from './sessions.ts'

type Rotation = Account & {
  readonly outcome: 'rotated' | 'reused' | 'already_used' | 'expired' | 'banned' | 'not_found'
  readonly session_id: string
  readonly active: string | null
  readonly aal: string
  readonly amr: Amr
  readonly oauth_client_id: string | null
  readonly oauth_scope: string | null
}

/**
 * Exchanges a refresh token for a new session (API-AUTH-03). A token works once. Reused within the grace interval, it returns
 * the current successor, so that two tabs stay signed in; reused later, it ends the session, because someone has a copy.
 *
 * The successor is a keyed hash of the token it replaces, so it can be returned twice while only its hash is stored.
 * @throws GatewayError 400 `refresh_token_not_found`, `refresh_token_already_used`, `session_expired`, `user_banned`; 429.
 */
export async function refreshSession(
  ctx: AuthContext,
  presented: string,
  visitor: RequestOrigin,
): Promise<SessionResponse> {
  const wait = await ctx.limits.tokenRefresh.take(addressKeyOf(visitor))
  if (wait > 0) throw authErrors.overRequestRate(wait)
  const { account, session, refreshToken } = await rotateRefreshToken(ctx, presented, visitor, null)
  return answerSession(ctx, account, session, refreshToken)
}

/**
 * The session behind a refresh token, and the token's successor.
 * @param clientId the application that presents it; null for the user's own clients. Another client's token is not found.
 * @throws GatewayError 400 as `refreshSession`.
 */
export async function rotateRefreshToken(
  ctx: AuthContext,
  presented: string,
  visitor: RequestOrigin,
  clientId: string | null,
): Promise<{ readonly account: Account; readonly session: Session; readonly refreshToken: string }> {
  const successor = successorOf(ctx, presented)
  const rotation = await rotate(ctx, presented, successor, visitor, clientId)
  switch (rotation.outcome) {
    case 'rotated':
    case 'reused': {
      const { aal, amr, oauth_client_id: id, oauth_scope: scope } = rotation
      const client = id === null ? undefined : { id, scope: scope ?? '' }
      const session = { id: rotation.session_id, aal, amr, client }
      return { account: rotation, session, refreshToken: findActive(ctx, successor, rotation.active) }
    }
    case 'already_used':
      throw authErrors.refreshTokenAlreadyUsed()
    case 'expired':
      throw authErrors.sessionExpired()
    case 'banned':
      throw authErrors.userBanned()
    case 'not_found':
      throw authErrors.refreshTokenNotFound()
  }
}

async function rotate(
  ctx: AuthContext,
  presented: string,
  successor: string,
  { userAgent, ip }: RequestOrigin,
  clientId: string | null,
) {
  const reuseSeconds = ctx.config.auth.refreshReuseIntervalSeconds
  const [rotation] = await ctx.db.rows<Rotation>(sql`
    select r.outcome, r.session_id, r.active, s.aal, s.oauth_client_id, s.oauth_scope, ${accountColumns},
      (select coalesce(jsonb_agg(jsonb_build_object(
        'method', a.authentication_method, 'timestamp', floor(extract(epoch from a.updated_at))::bigint) order by a.updated_at desc), '[]')
       from auth.mfa_amr_claims a where a.session_id = r.session_id) as amr
    from private.rotate_refresh_token(
      ${hashToken(presented)}, ${hashToken(successor)}, ${reuseSeconds}, ${userAgent}, ${ip}, ${clientId}) r
    left join auth.users u on u.id = r.user_id
    left join auth.sessions s on s.id = r.session_id`)
  if (!rotation) throw new Error('rotate_refresh_token returned no row')
  return rotation
}

function successorOf(ctx: AuthContext, token: string): string {
  return ctx.keyedHash('refresh token', token)
}

/** Within the grace interval, the session may have moved on by several steps: follows them. */
const maxSteps = 64

function findActive(ctx: AuthContext, successor: string, active: string | null): string {
  let token = successor
  for (let step = 0; step < maxSteps; step++) {
    if (hashToken(token) === active) return token
    token = successorOf(ctx, token)
  }
  // The secret was just replaced, so the chain can't be followed. The session stays active; this token is spent.
  throw authErrors.refreshTokenAlreadyUsed()
}
