import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { issueOneTimeToken, type SpentToken } from '../one-time-tokens/one-time-tokens.ts'
import { noteProviders } from '../providers/identities.ts'
import type { RequestOrigin } from '../request-origin.ts'
import type { Account } from '../users/account.ts'
import { countSms, requireSms, testCodeOf } from './send-sms.ts'

/**
 * Starts a change of number, which a code sent to the new one confirms.
 * @returns the message to send once the transaction has committed; undefined if numbers need no confirmation.
 * @throws GatewayError 400 `phone_provider_disabled`; 422 `phone_exists`; 429.
 */
export async function changePhone(
  ctx: AuthContext,
  db: CallerDb,
  { id }: Account,
  phone: string,
  visitor: RequestOrigin,
): Promise<{ readonly phone: string; readonly code: string; readonly userId: string } | undefined> {
  requireSms(ctx)
  const [taken] = await db.rows(sql`select from auth.users where phone = ${phone} and id <> ${id}`)
  if (taken) throw authErrors.phoneExists()
  if (ctx.config.auth.sms.autoconfirm) {
    await storePhone(db, id, phone, true)
    return undefined
  }
  await countSms(ctx, phone, visitor)
  await db.rows(sql`
    update auth.users set phone_change = ${phone}, phone_change_sent_at = now(), updated_at = now() where id = ${id}`)
  const { code } = await issueOneTimeToken(ctx, db, id, 'phone_change_token', phone, { code: testCodeOf(ctx, phone) })
  return { phone, code, userId: id }
}

/** @throws pg's DatabaseError for `users_phone_key` if someone has taken the number in the meantime. */
export async function confirmPhoneChange(
  db: CallerDb,
  { user_id: userId, relates_to: phone }: SpentToken,
): Promise<void> {
  const [account] = await db.rows<{ phone_change: string | null }>(sql`
    select phone_change from auth.users where id = ${userId} for update`)
  // A code proves one number, so it doesn't apply to a later request.
  if (account?.phone_change !== phone) throw authErrors.codeExpired()
  await storePhone(db, userId, phone, true)
}

/** The account, its phone identity, and the pending change, together. */
export async function storePhone(db: CallerDb, userId: string, phone: string, isConfirmed: boolean): Promise<void> {
  await db.rows(sql`
    with identity as (
      insert into auth.identities as i (user_id, provider, provider_id, identity_data)
      values (${userId}, 'phone', ${userId}::uuid::text, jsonb_build_object(
        'sub', ${userId}::uuid, 'phone', ${phone}::text, 'phone_verified', ${isConfirmed}::boolean, 'email_verified', false))
      on conflict (provider_id, provider) do update set
        identity_data = i.identity_data || excluded.identity_data, updated_at = now()
    ), spent as (
      delete from auth.one_time_tokens where user_id = ${userId} and token_type = 'phone_change_token'
    )
    update auth.users set
      phone = ${phone}, phone_confirmed_at = case when ${isConfirmed}::boolean then now() end,
      phone_change = null, phone_change_sent_at = null, is_anonymous = is_anonymous and not ${isConfirmed}::boolean, updated_at = now()
    where id = ${userId}`)
  await noteProviders(db, userId)
}
