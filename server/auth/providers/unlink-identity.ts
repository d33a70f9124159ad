import { serviceRole } from '../../postgres/caller.ts'
import { sql } from '../../postgres/sql.ts'
import { recordAudit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { requireFullAssurance } from '../factors/factors.ts'
import type { RequestOrigin } from '../request-origin.ts'
import type { Requester } from '../sessions/requester.ts'
import { noteProviders } from './identities.ts'

/**
 * Removes an identity from the user's account (API-AUTH-18), never the last one. An address or number that only this identity had is
 * removed too, and another identity's address takes its place.
 * @throws GatewayError 422 `identity_not_found`, `single_identity_not_deletable`, `email_exists`; 401 `insufficient_aal`.
 */
export async function unlinkIdentity(
  ctx: AuthContext,
  requester: Requester,
  id: string,
  visitor: RequestOrigin,
): Promise<void> {
  const { account } = requester
  const identity = account.identities.find((candidate) => candidate.id === id)
  if (!identity) throw authErrors.identityNotFound()
  if (account.identities.length === 1) throw authErrors.singleIdentity()
  requireFullAssurance(requester, authErrors.aal2ToChange)
  const rest = account.identities.filter((other) => other !== identity)
  const emails = rest.flatMap(({ email }) => email ?? [])
  const keepsEmail = account.email === null || emails.includes(account.email.toLowerCase())
  await ctx.database.transaction(serviceRole, async (db) => {
    // Two simultaneous requests must not remove the last two: the lock makes them wait here.
    await db.rows(sql`select from auth.users where id = ${account.id} for update`)
    const deleted = await db.rows(sql`
      delete from auth.identities where id = ${id} and user_id = ${account.id}
        and (select count(*) from auth.identities where user_id = ${account.id}) > 1 returning id`)
    if (deleted.length === 0) throw authErrors.singleIdentity()
    if (identity.provider === 'phone') {
      await db.rows(sql`update auth.users set phone = null, phone_confirmed_at = null where id = ${account.id}`)
    } else if (!keepsEmail) {
      const email = emails[0] ?? null
      await db.rows(sql`
        update auth.users set email = ${email}, email_confirmed_at = case when ${email}::text is not null then email_confirmed_at end
        where id = ${account.id}`)
    }
    await noteProviders(db, account.id)
    await recordAudit(db, 'identity_unlinked', account, visitor, { provider: identity.provider })
  })
}
