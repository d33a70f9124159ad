import type { FastifyRequest } from 'fastify'
import { sql } from '../postgres/sql.ts'
import { type Account, accountColumns, isBanned } from './account.ts'
import type { AuthContext } from './context.ts'
import { authErrors } from './errors.ts'
import { isUuid } from './uuid.ts'

/** The person behind a request, with a session that still stands. */
export type Requester = {
  readonly account: Account
  /** Undefined for a token that an operator minted without a session. */
  readonly sessionId: string | undefined
  /** How well this session has proved the person: `aal2` after a second factor. */
  readonly aal: string
  /** Undefined as `sessionId`. */
  readonly signedInAt: Date | undefined
}

/**
 * Who asks, from the access token. A token outlives its session's row by up to an hour, so the row is looked up.
 * @throws GatewayError 401 `no_authorization`; 403 `bad_jwt`, `user_not_found`, `session_not_found`, `user_banned`.
 */
export async function requireRequester(ctx: AuthContext, request: FastifyRequest): Promise<Requester> {
  const { sub, session_id: sessionId } = request.caller.claims
  if (sub === undefined) {
    throw request.headers.authorization ? authErrors.missingSubject() : authErrors.noAuthorization()
  }
  if (!isUuid(sub)) throw authErrors.missingSubject()
  if (sessionId !== undefined && !isUuid(sessionId)) throw authErrors.sessionNotFound()
  const [found] = await ctx.db.rows<Account & { session_aal: string | null; signed_in_at: Date | null }>(sql`
    select ${accountColumns}, s.aal as session_aal, s.created_at as signed_in_at
    from auth.users u
    left join auth.sessions s on s.id = ${sessionId ?? null}::uuid and s.user_id = u.id
      and (s.not_after is null or s.not_after > now())
    where u.id = ${sub} and u.deleted_at is null`)
  if (!found) throw authErrors.userOfTokenNotFound()
  if (sessionId !== undefined && found.session_aal === null) throw authErrors.sessionNotFound()
  if (isBanned(found)) throw authErrors.userBanned()
  return { account: found, sessionId, aal: found.session_aal ?? 'aal1', signedInAt: found.signed_in_at ?? undefined }
}

/** @throws GatewayError 401 or 403 for everybody but the service key: admin paths act for no person. */
export function requireServiceRole(request: FastifyRequest) {
  if (request.caller.role === 'service_role') return
  throw request.headers.authorization ? authErrors.notAdmin() : authErrors.noAuthorization()
}
