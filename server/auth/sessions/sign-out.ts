import { serviceRole } from '../../postgres/caller.ts'
import { sql } from '../../postgres/sql.ts'
import { recordAudit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { lacksSecondFactor, requireFullAssurance } from '../factors/factors.ts'
import type { RequestOrigin } from '../request-origin.ts'
import type { Requester } from './requester.ts'

export const signOutScopes = ['global', 'local', 'others'] as const
export type SignOutScope = (typeof signOutScopes)[number]

/**
 * Ends all sessions of the user, this one, or all but this one (API-AUTH-11). Their refresh tokens are deleted with them, and every API
 * rejects their access tokens (http/ended-sessions.ts). A session without its second factor can end only itself: someone who knows the
 * password must not sign the owner out.
 * @throws GatewayError 403 `insufficient_aal` if such a session requests to end others.
 */
export async function signOut(
  ctx: AuthContext,
  requester: Requester,
  wanted: SignOutScope,
  visitor: RequestOrigin,
): Promise<void> {
  const { account, sessionId = null } = requester
  if (wanted === 'others') requireFullAssurance(requester, authErrors.aal2ToSignOutOthers)
  if (wanted === 'others' && requester.client) throw authErrors.notForApps()
  const scope = lacksSecondFactor(requester) || requester.client ? 'local' : wanted
  await ctx.database.transaction(serviceRole, async (db) => {
    await db.rows(sql`
      delete from auth.sessions where user_id = ${account.id} and case ${scope}
        when 'local' then id = ${sessionId}::uuid
        when 'others' then id is distinct from ${sessionId}::uuid
        else true
      end`)
    await recordAudit(db, 'logout', account, visitor, { scope })
  })
}
