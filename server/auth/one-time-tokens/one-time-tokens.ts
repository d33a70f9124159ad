import { randomInt } from 'node:crypto'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import type { AuthContext } from '../context.ts'
import { hashToken } from '../sessions/sessions.ts'
import type { OneTimeToken, OneTimeTokenType } from './one-time-token.ts'

type TokenOptions = {
  /** The flow to which the link returns. */
  readonly flow?: string | null
  /** The fixed code of a test number. */
  readonly code?: string | undefined
}

/**
 * Issues a token and deletes the account's earlier one of that type. The link is a keyed hash of the code, and only a
 * hash of the link is stored: neither can be recovered from the database, not even by trying all codes.
 * @param address the email address or phone number that gets it.
 */
export async function issueOneTimeToken(
  ctx: AuthContext,
  db: CallerDb,
  userId: string,
  type: OneTimeTokenType,
  address: string,
  { flow = null, code = randomInt(1_000_000).toString().padStart(6, '0') }: TokenOptions = {},
): Promise<OneTimeToken> {
  const link = linkFor(ctx, userId, type, address, code)
  await db.rows(sql`
    with token as (
      insert into auth.one_time_tokens (user_id, token_type, token_hash, relates_to, flow_state_id)
      values (${userId}, ${type}, ${hashToken(link)}, ${address}, ${flow})
      on conflict (user_id, token_type) do update
        set token_hash = excluded.token_hash, relates_to = excluded.relates_to,
          flow_state_id = excluded.flow_state_id, created_at = now(), updated_at = now()
    )
    update auth.users set
      confirmation_sent_at = case when ${type} = 'confirmation_token' then now() else confirmation_sent_at end,
      recovery_sent_at = case when ${type} = 'recovery_token' then now() else recovery_sent_at end,
      reauthentication_sent_at = case when ${type} = 'reauthentication_token' then now() else reauthentication_sent_at end
    where id = ${userId}`)
  return { code, link }
}

export type SpentToken = {
  readonly user_id: string
  readonly token_type: OneTimeTokenType
  readonly relates_to: string
  readonly flow_state_id: string | null
}

/** Spends a token. Undefined if it is wrong, used, or too old: the three look alike. */
export async function spendOneTimeToken(
  ctx: AuthContext,
  db: CallerDb,
  link: string,
  types: readonly OneTimeTokenType[],
): Promise<SpentToken | undefined> {
  const { otpExpSeconds, sms } = ctx.config.auth
  const [spent] = await db.rows<SpentToken>(sql`
    delete from auth.one_time_tokens
    where token_hash = ${hashToken(link)} and token_type = any(${[...types]}::text[])
      and created_at > now() - make_interval(secs => case when relates_to like '%@%' then ${otpExpSeconds}::int else ${sms.otpExpSeconds}::int end)
    returning user_id, token_type, relates_to, flow_state_id`)
  return spent
}

/** The link that matches a typed code. */
export function linkFor(
  ctx: AuthContext,
  userId: string,
  type: OneTimeTokenType,
  address: string,
  code: string,
): string {
  return ctx.keyedHash('one-time token', [type, userId, address, code].join('\0'))
}

/**
 * The token for an unconfirmed account, for a visitor who may not be the one who created it: they request a link or a
 * code, or sign up again. If the account has a password, a stranger may have chosen it for someone else's address or number: a
 * recovery token removes the password when it is spent (verify.ts), and earlier tokens stop working.
 */
export async function entryToken(db: CallerDb, userId: string): Promise<OneTimeTokenType> {
  const [owned] = await db.rows(sql`select from auth.users where id = ${userId} and encrypted_password is not null`)
  if (!owned) return 'confirmation_token'
  await db.rows(sql`delete from auth.one_time_tokens where user_id = ${userId} and token_type = 'confirmation_token'`)
  return 'recovery_token'
}

/** A resend has the type of the last token. */
export async function resentToken(db: CallerDb, userId: string): Promise<OneTimeTokenType> {
  const [contested] = await db.rows(sql`
    select from auth.one_time_tokens where user_id = ${userId} and token_type = 'recovery_token'`)
  return contested ? 'recovery_token' : 'confirmation_token'
}
