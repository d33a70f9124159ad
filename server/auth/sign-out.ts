import { serviceRole } from '../postgres/caller.ts'
import { sql } from '../postgres/sql.ts'
import { recordAudit } from './audit.ts'
import type { AuthContext } from './context.ts'
import type { Requester } from './requester.ts'
import type { Visitor } from './visitor.ts'

export const signOutScopes = ['global', 'local', 'others'] as const
export type SignOutScope = (typeof signOutScopes)[number]

/** Ends all sessions of the person, this one, or all but this one (API-AUTH-11). Their refresh tokens go with them. */
export async function signOut(
  ctx: AuthContext,
  { account, sessionId = null }: Pick<Requester, 'account'> & { readonly sessionId?: string | null | undefined },
  scope: SignOutScope,
  visitor: Visitor,
): Promise<void> {
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
