import type { FastifyRequest } from 'fastify'
import { sql } from '../../postgres/sql.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { type Account, accountColumns, isBanned } from '../users/account.ts'
import { isUuid } from '../uuid.ts'

/** The user behind a request, with an active session. */
export type Requester = {
  readonly account: Account
  /** Undefined for a token that an operator created without a session. */
  readonly sessionId: string | undefined
  /** The session's assurance level: `aal2` after a second factor. */
  readonly aal: string
  /** Undefined like `sessionId`. */
  readonly signedInAt: Date | undefined
  /** The application that acts for the user, with its scopes; undefined in the user's own session. */
  readonly client: { readonly id: string; readonly scope: string } | undefined
}

/**
 * Identifies the user from the access token. It reads the session's row, which is exact; other APIs use http/ended-sessions.ts, which may be
 * some seconds old.
 * @param letsAppsIn whether a connected application may do this too. Account security is off limits for them.
 * @throws GatewayError 401 `no_authorization`; 403 `bad_jwt`, `user_not_found`, `session_not_found`, `user_banned`, `insufficient_scope`.
 */
export async function requireRequester(
  ctx: AuthContext,
  request: FastifyRequest,
  { letsAppsIn = false } = {},
): Promise<Requester> {
  const { sub, session_id: sessionId } = request.caller.claims
  if (sub === undefined) {
    throw request.headers.authorization ? authErrors.missingSubject() : authErrors.noAuthorization()
  }
  if (!isUuid(sub)) throw authErrors.missingSubject()
  if (sessionId !== undefined && !isUuid(sessionId)) throw authErrors.sessionNotFound()
  const [found] = await ctx.db.rows<Account & FoundSession>(sql`
    select ${accountColumns}, s.aal as session_aal, s.created_at as signed_in_at,
      s.oauth_client_id, s.oauth_scope
    from auth.users u
    left join auth.sessions s on s.id = ${sessionId ?? null}::uuid and s.user_id = u.id
      and (s.not_after is null or s.not_after > now())
    where u.id = ${sub} and u.deleted_at is null`)
  if (!found) throw authErrors.userOfTokenNotFound()
  if (sessionId !== undefined && found.session_aal === null) throw authErrors.sessionNotFound()
  if (isBanned(found)) throw authErrors.userBanned()
  const { oauth_client_id: clientId, oauth_scope: scope } = found
  if (clientId !== null && !letsAppsIn) throw authErrors.notForApps()
  return {
    account: found,
    sessionId,
    aal: found.session_aal ?? 'aal1',
    signedInAt: found.signed_in_at ?? undefined,
    client: clientId === null ? undefined : { id: clientId, scope: scope ?? '' },
  }
}

type FoundSession = {
  readonly session_aal: string | null
  readonly signed_in_at: Date | null
  readonly oauth_client_id: string | null
  readonly oauth_scope: string | null
}

/** @throws GatewayError 401 or 403 for everyone but the service key: admin paths act for no user. */
export function requireServiceRole(request: FastifyRequest) {
  if (request.caller.role === 'service_role') return
  throw request.headers.authorization ? authErrors.notAdmin() : authErrors.noAuthorization()
}
