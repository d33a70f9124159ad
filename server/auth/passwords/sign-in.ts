import { serviceRole } from '../../postgres/caller.ts'
import { sql } from '../../postgres/sql.ts'
import { recordAudit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { requireSms } from '../phone/send-sms.ts'
import { addressKeyOf, type RequestOrigin } from '../request-origin.ts'
import { openSession, type SessionResponse } from '../sessions/sessions.ts'
import { findAccount, isBanned } from '../users/account.ts'
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts'

/** An address or a number, as returned by `readEmail` and `readPhone`. */
export type Login = { readonly email: string } | { readonly phone: string }

/**
 * Signs in with a password (API-AUTH-02), by address or number. An unknown one and a wrong password get the same response in the same time.
 * Only the right password reveals that an account is banned or unconfirmed.
 * @throws GatewayError 400 `invalid_credentials`, `user_banned`, `email_not_confirmed`, `phone_not_confirmed`, `phone_provider_disabled`; 429.
 */
export async function signInWithPassword(
  ctx: AuthContext,
  login: Login,
  password: string,
  visitor: RequestOrigin,
): Promise<SessionResponse> {
  const isPhone = 'phone' in login
  if (isPhone) requireSms(ctx)
  const provider = isPhone ? 'phone' : 'email'
  const name = isPhone ? login.phone : login.email
  const wait =
    (await ctx.limits.signIn.take(addressKeyOf(visitor))) || (await ctx.limits.failedSignIn.take(name, visitor))
  if (wait > 0) throw authErrors.overRequestRate(wait)
  const known = await findPassword(ctx, login)
  if (!(await verifyPassword(password, known?.encrypted_password)) || !known) {
    await recordAudit(ctx.db, 'login_failed', known && { id: known.id, email: name }, visitor, { provider })
    throw authErrors.invalidCredentials()
  }
  await ctx.limits.failedSignIn.giveBack(name, visitor)
  const stored = known.encrypted_password ?? ''
  const rehashed = isOutdated(stored) ? await hashPassword(password) : undefined
  return ctx.database.transaction(serviceRole, async (db) => {
    const account = await findAccount(db, known.id)
    if (!account) throw authErrors.invalidCredentials() // deleted while the password was compared
    if (isBanned(account)) throw authErrors.userBanned()
    if (isPhone && !account.phone_confirmed_at) throw authErrors.phoneNotConfirmed()
    if (!isPhone && !account.email_confirmed_at) throw authErrors.emailNotConfirmed()
    if (rehashed) {
      await db.rows(sql`
        update auth.users set encrypted_password = ${rehashed} where id = ${known.id} and encrypted_password = ${stored}`)
    }
    await recordAudit(db, 'login', account, visitor, { provider })
    return openSession(ctx, db, account, { method: 'password', provider }, visitor)
  })
}

async function findPassword(ctx: AuthContext, login: Login) {
  const { email, phone } = { email: null, phone: null, ...login }
  const [found] = await ctx.db.rows<{ id: string; encrypted_password: string | null }>(sql`
    select u.id, u.encrypted_password from auth.users u
    where (lower(u.email) = ${email} or u.phone = ${phone}) and not u.is_sso_user and u.deleted_at is null`)
  return found
}
