import { serviceRole } from '../postgres/caller.ts'
import { sql } from '../postgres/sql.ts'
import { findAccount, isBanned } from './account.ts'
import { recordAudit } from './audit.ts'
import type { AuthContext } from './context.ts'
import { authErrors } from './errors.ts'
import { verifyPassword } from './passwords.ts'
import { openSession, type SessionResponse } from './sessions.ts'
import type { Visitor } from './visitor.ts'

/**
 * Signs in with a password (API-AUTH-02). An unknown address and a wrong password have the same answer and take the same time;
 * whether an account is banned or unconfirmed is told only to who knows its password.
 * @throws GatewayError 400 `invalid_credentials`, `user_banned`, `email_not_confirmed`; 429.
 */
export async function signInWithPassword(
  ctx: AuthContext,
  email: string,
  password: string,
  visitor: Visitor,
): Promise<SessionResponse> {
  const wait = ctx.limits.signIn.take(visitor.ip ?? '') || ctx.limits.failedSignIn.wait(email)
  if (wait > 0) throw authErrors.overRequestRate(wait)
  const known = await findPassword(ctx, email)
  if (!(await verifyPassword(password, known?.encrypted_password)) || !known) {
    ctx.limits.failedSignIn.take(email)
    await recordAudit(ctx.db, 'login_failed', known && { id: known.id, email }, visitor, { provider: 'email' })
    throw authErrors.invalidCredentials()
  }
  return ctx.database.transaction(serviceRole, async (db) => {
    const account = await findAccount(db, known.id)
    if (!account) throw authErrors.invalidCredentials() // deleted while the password was compared
    if (isBanned(account)) throw authErrors.userBanned()
    if (!account.email_confirmed_at) throw authErrors.emailNotConfirmed()
    await recordAudit(db, 'login', account, visitor, { provider: 'email' })
    return openSession(ctx, db, account, 'password', visitor)
  })
}

async function findPassword(ctx: AuthContext, email: string) {
  const [found] = await ctx.db.rows<{ id: string; encrypted_password: string | null }>(sql`
    select u.id, u.encrypted_password from auth.users u
    where lower(u.email) = ${email} and not u.is_sso_user and u.deleted_at is null`)
  return found
}
