import { serviceRole } from '../../postgres/caller.ts'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import { recordAudit, recordRefusal } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { changeEmail } from '../email/email-change.ts'
import { authErrors } from '../errors.ts'
import { requireFullAssurance } from '../factors/factors.ts'
import { hashPassword, requireStrongPassword, verifyPassword } from '../passwords/passwords.ts'
import { requireNonce } from '../passwords/reauthenticate.ts'
import { changePhone } from '../phone/phone-change.ts'
import { sendCode } from '../phone/send-sms.ts'
import type { RequestOrigin } from '../request-origin.ts'
import type { Requester } from '../sessions/requester.ts'
import { type Account, findAccount } from './account.ts'
import type { UserUpdate } from './user-update.ts'

/**
 * Changes the user's own account (API-AUTH-13): everything requested, or nothing. A new password ends every other session.
 * @throws GatewayError 422 `weak_password`, `same_password`, `email_exists`, `phone_exists`, `reauthentication_not_valid`; 401 `insufficient_aal`; 400 `invalid_credentials`, `reauthentication_needed`; 429.
 */
export async function updateUser(
  ctx: AuthContext,
  requester: Requester,
  update: UserUpdate,
  visitor: RequestOrigin,
): Promise<Account> {
  const { account, sessionId } = requester
  const changesEntry = [update.email, update.phone, update.password].some((change) => change !== undefined)
  if (changesEntry && account.is_sso_user) throw authErrors.userSsoManaged()
  if (changesEntry) requireFullAssurance(requester, authErrors.aal2ToChange)
  if (update.data) requireFullAssurance(requester, authErrors.aal2ToChangeMetadata)
  if (update.password !== undefined) requireRecentProof(ctx, requester, update)
  const passwordHash = await prepareNewPassword(ctx, account, update, visitor)
  const newEmail = update.email === account.email ? undefined : update.email
  const newPhone = update.phone === account.phone ? undefined : update.phone
  const change = async (db: CallerDb) => {
    if (update.nonce) await requireNonce(ctx, db, requester, update.nonce, visitor)
    if (passwordHash) await storePassword(db, account, passwordHash, sessionId, visitor)
    if (update.data) await mergeMetadata(db, account.id, update.data)
    const mails = newEmail ? await changeEmail(ctx, db, account, newEmail, update, visitor) : []
    const message = newPhone ? await changePhone(ctx, db, account, newPhone, visitor) : undefined
    if (update.data || newEmail || newPhone) await recordAudit(db, 'user_modified', account, visitor)
    return { mails, message }
  }
  const { mails, message } = await recordRefusal(ctx.db, account, visitor, { proof: 'reauthentication' }, () =>
    ctx.database.transaction(serviceRole, change),
  )
  for (const mail of mails) {
    await ctx.mailer.send(mail).catch((cause: unknown) => {
      throw authErrors.mailNotSent(cause)
    })
  }
  if (message) {
    await sendCode(ctx, message).catch((cause: unknown) => {
      throw authErrors.smsNotSent(cause)
    })
  }
  const updated = await findAccount(ctx.db, account.id)
  if (!updated) throw authErrors.userOfTokenNotFound()
  return updated
}

const recentMs = 24 * 60 * 60 * 1000

/**
 * An open session must not be enough to take over an account by a new password: after a day, it takes the old one, or the code from
 * `GET /reauthenticate` (supabase/auth `internal/api/user.go`). An anonymous user can't receive a code, and has no more to lose
 * than that session.
 */
function requireRecentProof(
  ctx: AuthContext,
  { account, signedInAt }: Requester,
  { nonce, currentPassword }: UserUpdate,
) {
  if (!ctx.config.auth.passwordChangeNeedsProof || nonce || currentPassword !== undefined) return
  if (!account.email && !account.phone) return
  if (signedInAt && Date.now() - signedInAt.getTime() < recentMs) return
  throw authErrors.reauthenticationNeeded()
}

/** The hash to store; undefined if the password stays. */
async function prepareNewPassword(ctx: AuthContext, account: Account, update: UserUpdate, visitor: RequestOrigin) {
  const { password, currentPassword } = update
  if (password === undefined && currentPassword === undefined) return undefined
  if (password !== undefined) requireStrongPassword(password, ctx.config.auth)
  if (password !== undefined && account.is_anonymous && !update.email && !update.phone) {
    throw authErrors.unprocessable('An anonymous user needs an email or a phone before a password')
  }
  const [stored] = await ctx.db.rows<{ encrypted_password: string | null }>(sql`
    select encrypted_password from auth.users where id = ${account.id}`)
  if (currentPassword !== undefined) {
    // A stolen session must not allow guessing the password.
    const wait = await ctx.limits.failedSignIn.take(account.id, visitor)
    if (wait > 0) throw authErrors.overRequestRate(wait)
    if (!(await verifyPassword(currentPassword, stored?.encrypted_password))) {
      await recordAudit(ctx.db, 'login_failed', account, visitor, { reason: 'current password' })
      throw authErrors.invalidCredentials()
    }
    await ctx.limits.failedSignIn.giveBack(account.id, visitor)
  }
  if (password === undefined) return undefined
  if (await verifyPassword(password, stored?.encrypted_password)) throw authErrors.samePassword()
  return hashPassword(password)
}

async function storePassword(
  db: CallerDb,
  account: Account,
  passwordHash: string,
  sessionId: string | undefined,
  visitor: RequestOrigin,
) {
  await db.rows(sql`
    with ended as (
      delete from auth.sessions where user_id = ${account.id} and id is distinct from ${sessionId ?? null}::uuid
    )
    update auth.users set encrypted_password = ${passwordHash}, updated_at = now() where id = ${account.id}`)
  // Links that were sent for the old password stop working.
  await db.rows(sql`
    delete from auth.one_time_tokens where user_id = ${account.id} and token_type = 'recovery_token'`)
  await recordAudit(db, 'user_updated_password', account, visitor)
}

export async function mergeMetadata(
  db: CallerDb,
  userId: string,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const removed = Object.keys(data).filter((key) => data[key] === null)
  await db.rows(sql`
    update auth.users set
      raw_user_meta_data = (raw_user_meta_data || ${JSON.stringify(data)}::jsonb) - ${removed}::text[], updated_at = now()
    where id = ${userId}`)
}
