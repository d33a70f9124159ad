import { randomInt } from 'node:crypto'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import type { AuthContext } from '../context.ts'
import { hashToken } from '../sessions/sessions.ts'
import type { OneTimeToken, OneTimeTokenType } from './one-time-token.ts'

type TokenOptions = {
  /** The flow that the link leads back into. */
  readonly flow?: string | null
  /** The code of a number that is kept for testing. */
  readonly code?: string | undefined
}

/**
 * Issues a token and forgets the account's earlier one of that type. The link is a keyed hash of the code, and what is stored is a
 * hash of the link: neither can be had from the database, not even by trying all codes.
 * @param address the e-mail address or the phone number that it is sent to.
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

/** Uses a token up. Undefined when it is wrong, used or too old: the three look alike. */
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

/** The link that belongs to a typed code. */
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
 * The token for an account that nobody has confirmed, when somebody comes who may be another than who made it: asks for a link or a
 * code, or signs up once more. If it has a password, that may be a stranger's, chosen for an address or a number that is not theirs: a
 * recovery token drops it when it is spent (verify.ts), and what was sent before is worth nothing any more.
 */
export async function entryToken(db: CallerDb, userId: string): Promise<OneTimeTokenType> {
  const [owned] = await db.rows(sql`select from auth.users where id = ${userId} and encrypted_password is not null`)
  if (!owned) return 'confirmation_token'
  await db.rows(sql`delete from auth.one_time_tokens where user_id = ${userId} and token_type = 'confirmation_token'`)
  return 'recovery_token'
}

/** What is sent again is what was sent last. */
export async function resentToken(db: CallerDb, userId: string): Promise<OneTimeTokenType> {
  const [contested] = await db.rows(sql`
    select from auth.one_time_tokens where user_id = ${userId} and token_type = 'recovery_token'`)
  return contested ? 'recovery_token' : 'confirmation_token'
}
