import type { Mail } from '../../mail/mail.ts'
import { serviceRole } from '../../postgres/caller.ts'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import { inBackground } from '../after-response.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { issueOneTimeToken, type SpentToken } from '../one-time-tokens/one-time-tokens.ts'
import type { MailRequest } from '../passwords/recover.ts'
import { noteProviders } from '../providers/identities.ts'
import type { RequestOrigin } from '../request-origin.ts'
import { beginFlow } from '../sessions/code-challenge.ts'
import { type Account, findAccount } from '../users/account.ts'
import type { UserUpdate } from '../users/user-update.ts'
import { currentAddressMail, newAddressMail } from './account-emails.ts'
import { countMail } from './send-mail.ts'

/**
 * Starts a change of address. Both addresses have to confirm it: the new one proves that it is reachable, the old one that its owner
 * wants the change. That applies even if sign-ups are confirmed at once (D19), or anyone who finds an open session could take the account.
 * Only an anonymous user, who has nothing to lose, gets a first address at once in that case.
 * @returns the emails to send once the transaction has committed.
 * @throws GatewayError 422 `email_exists`; 429 `over_email_send_rate_limit`.
 */
export async function changeEmail(
  ctx: AuthContext,
  db: CallerDb,
  account: Account,
  newEmail: string,
  { redirectTo, codeChallenge }: Pick<UserUpdate, 'redirectTo' | 'codeChallenge'>,
  visitor: RequestOrigin,
): Promise<Mail[]> {
  await requireFreeEmail(db, account, newEmail)
  if (ctx.config.auth.mailerAutoconfirm && account.is_anonymous) {
    await storeEmail(db, account.id, newEmail, true)
    return []
  }
  await countMail(ctx, newEmail, visitor)
  await requestEmailChange(db, account, newEmail)
  return issueConfirmations(ctx, db, account, newEmail, { redirectTo, codeChallenge })
}

async function issueConfirmations(
  ctx: AuthContext,
  db: CallerDb,
  account: Account,
  newEmail: string,
  { redirectTo, codeChallenge }: Pick<UserUpdate, 'redirectTo' | 'codeChallenge'>,
): Promise<Mail[]> {
  const flow = await beginFlow(db, account.id, 'email_change', codeChallenge)
  const toNew = await issueOneTimeToken(ctx, db, account.id, 'email_change_token_new', newEmail, { flow })
  // Without a current address there is nobody else to ask: an anonymous account, or one with only a phone.
  if (account.email === null) return [newAddressMail(ctx, newEmail, toNew, redirectTo)]
  const toCurrent = await issueOneTimeToken(ctx, db, account.id, 'email_change_token_current', account.email, { flow })
  return [
    newAddressMail(ctx, newEmail, toNew, redirectTo),
    currentAddressMail(ctx, account.email, newEmail, toCurrent, redirectTo),
  ]
}

/** Stores the requested address; requesting it again keeps a confirmation that already came. @throws GatewayError 422 `email_exists`. */
export async function requestEmailChange(db: CallerDb, account: Account, newEmail: string): Promise<void> {
  await requireFreeEmail(db, account, newEmail)
  await db.rows(sql`
    update auth.users set
      email_change = ${newEmail}, email_change_sent_at = now(), updated_at = now(),
      email_change_confirm_status = case when email_change = ${newEmail} then email_change_confirm_status else ${sides.none} end
    where id = ${account.id}`)
}

async function requireFreeEmail(db: CallerDb, { id }: Account, email: string) {
  const [taken] = await db.rows(sql`
    select from auth.users where lower(email) = ${email} and not is_sso_user and id <> ${id}`)
  if (taken) throw authErrors.emailExists()
}

/**
 * Records one of the two confirmations. @returns whether it was the second one, which changes the address.
 * @throws pg's DatabaseError for `users_email_key` if someone has taken the address in the meantime.
 */
export async function confirmEmailChange(
  db: CallerDb,
  { user_id: userId, token_type: type, relates_to: address }: SpentToken,
): Promise<boolean> {
  const [account] = await db.rows<{ email: string | null; email_change: string | null; status: number }>(sql`
    select email, email_change, email_change_confirm_status as status from auth.users where id = ${userId} for update`)
  const isNew = type === 'email_change_token_new'
  // A token proves one address, so it doesn't apply to a later request.
  if (!account?.email_change || address !== (isNew ? account.email_change : account.email))
    throw authErrors.otpExpired()
  if (account.email === null) {
    await storeEmail(db, userId, account.email_change, true)
    return true
  }
  const side = isNew ? sides.newAddress : sides.currentAddress
  if (account.status === sides.none || account.status === side) {
    await db.rows(
      sql`update auth.users set email_change_confirm_status = ${side}, updated_at = now() where id = ${userId}`,
    )
    return false
  }
  await storeEmail(db, userId, account.email_change, true)
  return true
}

/** `email_change_confirm_status`: which side has confirmed. Not a count, because the same side twice is still one. */
const sides = { none: 0, newAddress: 1, currentAddress: 2 } as const

/** The account, its email identity, and the pending change, together. */
export async function storeEmail(db: CallerDb, userId: string, email: string, isConfirmed: boolean): Promise<void> {
  await db.rows(sql`
    with identity as (
      insert into auth.identities as i (user_id, provider, provider_id, identity_data)
      values (${userId}, 'email', ${userId}::uuid::text, jsonb_build_object(
        'sub', ${userId}::uuid, 'email', ${email}::text, 'email_verified', ${isConfirmed}::boolean, 'phone_verified', false))
      on conflict (provider_id, provider) do update set
        identity_data = i.identity_data || excluded.identity_data - 'phone_verified', updated_at = now()
    ), spent as (
      delete from auth.one_time_tokens
      where user_id = ${userId} and token_type in ('email_change_token_new', 'email_change_token_current', 'confirmation_token', 'recovery_token')
    )
    update auth.users set
      email = ${email}, email_confirmed_at = case when ${isConfirmed}::boolean then coalesce(email_confirmed_at, now()) end,
      email_change = null, email_change_sent_at = null, email_change_confirm_status = 0,
      is_anonymous = is_anonymous and not ${isConfirmed}::boolean, updated_at = now()
    where id = ${userId}`)
  await noteProviders(db, userId)
}

/** Resends a change's pending confirmations (API-AUTH-10), identified by the new address. Known and unknown ones get the same response. */
export async function resendEmailChange(
  ctx: AuthContext,
  { email, redirectTo, codeChallenge }: MailRequest,
  visitor: RequestOrigin,
): Promise<void> {
  await countMail(ctx, email, visitor)
  inBackground(ctx, async () => {
    const mails = await ctx.database.transaction(serviceRole, async (db) => {
      const [pending] = await db.rows<{ id: string }>(sql`
        select id from auth.users where email_change = ${email} and deleted_at is null
        order by email_change_sent_at desc nulls last limit 1 for update`)
      const account = pending && (await findAccount(db, pending.id))
      return account ? issueConfirmations(ctx, db, account, email, { redirectTo, codeChallenge }) : []
    })
    for (const mail of mails) await ctx.mailer.send(mail)
  })
}
