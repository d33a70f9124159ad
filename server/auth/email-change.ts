import type { Mail } from '../mail/mailer.ts'
import type { CallerDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'
import type { Account } from './account.ts'
import { beginFlow } from './code-challenge.ts'
import type { AuthContext } from './context.ts'
import { authErrors } from './errors.ts'
import { currentAddressMail, newAddressMail } from './mails.ts'
import { issueOneTimeToken, type SpentToken } from './one-time-tokens.ts'
import { countMail } from './send-mail.ts'
import type { UserUpdate } from './update-user.ts'
import type { Visitor } from './visitor.ts'

/**
 * Starts a change of address. Without SMTP it is done at once (D19); with SMTP both addresses have to confirm it: the new one shows
 * that it is reachable, the old one that its owner wants this.
 * @returns the mails to send once the transaction has committed.
 * @throws GatewayError 422 `email_exists`; 429 `over_email_send_rate_limit`.
 */
export async function changeEmail(
  ctx: AuthContext,
  db: CallerDb,
  account: Account,
  newEmail: string,
  { redirectTo, codeChallenge }: Pick<UserUpdate, 'redirectTo' | 'codeChallenge'>,
  visitor: Visitor,
): Promise<Mail[]> {
  const [taken] = await db.rows(sql`
    select from auth.users where lower(email) = ${newEmail} and not is_sso_user and id <> ${account.id}`)
  if (taken) throw authErrors.emailExists()
  if (ctx.config.auth.mailerAutoconfirm || account.email === null) {
    await storeEmail(db, account.id, newEmail)
    return []
  }
  countMail(ctx, newEmail, visitor)
  await db.rows(sql`
    update auth.users set
      email_change = ${newEmail}, email_change_sent_at = now(), email_change_confirm_status = 0, updated_at = now()
    where id = ${account.id}`)
  const flow = await beginFlow(db, account.id, 'email_change', codeChallenge)
  const toNew = await issueOneTimeToken(ctx, db, account.id, 'email_change_token_new', newEmail, flow)
  const toCurrent = await issueOneTimeToken(ctx, db, account.id, 'email_change_token_current', account.email, flow)
  return [
    newAddressMail(ctx, newEmail, toNew, redirectTo),
    currentAddressMail(ctx, account.email, newEmail, toCurrent, redirectTo),
  ]
}

/**
 * Takes one of the two confirmations. @returns whether it was the second, and the address is changed.
 * @throws pg's DatabaseError for `users_email_key` when somebody took the address meanwhile.
 */
export async function confirmEmailChange(db: CallerDb, { user_id: userId }: SpentToken): Promise<boolean> {
  const [pending] = await db.rows<{ email_change: string | null; status: number }>(sql`
    update auth.users set email_change_confirm_status = least(email_change_confirm_status + 1, 2), updated_at = now()
    where id = ${userId} returning email_change, email_change_confirm_status as status`)
  if (!pending?.email_change) throw authErrors.otpExpired()
  if (pending.status < 2) return false
  await storeEmail(db, userId, pending.email_change)
  return true
}

/** The account, its e-mail identity and what was pending, together. */
export async function storeEmail(db: CallerDb, userId: string, email: string): Promise<void> {
  await db.rows(sql`
    with identity as (
      update auth.identities set
        identity_data = identity_data || jsonb_build_object('email', ${email}::text, 'email_verified', true), updated_at = now()
      where user_id = ${userId} and provider = 'email'
    ), spent as (
      delete from auth.one_time_tokens
      where user_id = ${userId} and token_type in ('email_change_token_new', 'email_change_token_current', 'confirmation_token', 'recovery_token')
    )
    update auth.users set
      email = ${email}, email_confirmed_at = coalesce(email_confirmed_at, now()),
      email_change = null, email_change_sent_at = null, email_change_confirm_status = 0, updated_at = now()
    where id = ${userId}`)
}
