import { serviceRole } from '../postgres/caller.ts'
import type { CallerDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'
import { findAccount, findAccountByEmail, isBanned } from './account.ts'
import { recordAudit } from './audit.ts'
import { issueAuthCode } from './code-challenge.ts'
import type { AuthContext } from './context.ts'
import { confirmEmailChange } from './email-change.ts'
import { authErrors } from './errors.ts'
import { linkFor, type OneTimeTokenType, type SpentToken, spendOneTimeToken } from './one-time-tokens.ts'
import { openSession, type SessionResponse } from './sessions.ts'
import type { Visitor } from './visitor.ts'

/** The client's word for a proof, and the tokens it may stand for (supabase/auth `internal/api/verify.go`). */
export const verifyTypes: ReadonlyMap<string, readonly OneTimeTokenType[]> = new Map([
  ['signup', ['confirmation_token']],
  ['invite', ['confirmation_token']],
  ['recovery', ['recovery_token']],
  ['magiclink', ['recovery_token']],
  ['email', ['confirmation_token', 'recovery_token']],
  ['email_change', ['email_change_token_new', 'email_change_token_current']],
])

/** Either what a link carries (`isFollowed`: in a browser, so that a flow that was begun in one goes on there), or a code typed beside the address. */
export type Proof =
  | { readonly type: string; readonly link: string; readonly isFollowed?: boolean }
  | { readonly type: string; readonly email: string; readonly code: string }

/** `code`: to be exchanged by the browser that began the flow. `half`: the first of the two confirmations of a new address; the other one is still missing. */
export type Verified = { readonly session: SessionResponse } | { readonly code: string } | { readonly half: true }

/**
 * Spends a token and signs its owner in, whose address is confirmed by it (API-AUTH-08).
 * @throws GatewayError 403 `otp_expired` for a wrong, used or old one; 400 `user_banned`; 429.
 */
export async function verify(ctx: AuthContext, proof: Proof, visitor: Visitor): Promise<Verified> {
  requireTry(ctx, proof, visitor)
  const links = 'link' in proof ? [proof.link] : await linksFor(ctx, proof)
  return ctx.database.transaction(serviceRole, async (db) => {
    const spent = await spendFirst(ctx, db, links, verifyTypes.get(proof.type) ?? [])
    if (!spent) throw 'link' in proof ? authErrors.otpExpired() : authErrors.codeExpired()
    if (spent.token_type.startsWith('email_change') && !(await confirmEmailChange(db, spent))) return { half: true }
    if (spent.token_type === 'confirmation_token' || spent.token_type === 'recovery_token')
      await confirmEmail(db, spent)
    const account = await findAccount(db, spent.user_id)
    if (!account || account.deleted_at) throw authErrors.otpExpired()
    if (isBanned(account)) throw authErrors.userBanned()
    await recordAudit(db, spent.token_type === 'confirmation_token' ? 'user_signedup' : 'login', account, visitor, {
      provider: 'email',
      proof: proof.type,
    })
    if ('link' in proof && proof.isFollowed && spent.flow_state_id)
      return { code: await issueAuthCode(db, spent.flow_state_id) }
    return { session: await openSession(ctx, db, account, 'otp', visitor) }
  })
}

/** A code has six digits: the tries are counted for the address it was sent to as well, wherever they come from. */
function requireTry({ limits }: AuthContext, proof: Proof, { ip }: Visitor) {
  const wait = limits.verify.take(ip ?? '') || ('email' in proof ? limits.verifyOfEmail.take(proof.email) : 0)
  if (wait > 0) throw authErrors.overRequestRate(wait)
}

async function linksFor(
  ctx: AuthContext,
  { type, email, code }: { readonly type: string; readonly email: string; readonly code: string },
): Promise<string[]> {
  const types = verifyTypes.get(type) ?? []
  const account =
    (await findAccountByEmail(ctx.db, email)) ?? (type === 'email_change' ? await findChanging(ctx, email) : undefined)
  return account ? types.map((tokenType) => linkFor(ctx, account.id, tokenType, email, code)) : []
}

async function findChanging(ctx: AuthContext, newEmail: string) {
  const [account] = await ctx.db.rows<{ id: string }>(sql`
    select user_id as id from auth.one_time_tokens
    where token_type = 'email_change_token_new' and relates_to = ${newEmail} order by created_at desc limit 1`)
  return account
}

async function spendFirst(
  ctx: AuthContext,
  db: CallerDb,
  links: readonly string[],
  types: readonly OneTimeTokenType[],
): Promise<SpentToken | undefined> {
  for (const link of links) {
    const spent = await spendOneTimeToken(ctx, db, link, types)
    if (spent) return spent
  }
  return undefined
}

/** A token that came by mail shows that the address is theirs. An address that changed since then is not confirmed by it. */
async function confirmEmail(db: CallerDb, { user_id: userId, relates_to: email }: SpentToken) {
  await db.rows(sql`
    with account as (
      update auth.users set email_confirmed_at = now(), updated_at = now()
      where id = ${userId} and lower(email) = ${email} and email_confirmed_at is null returning id
    )
    update auth.identities i set identity_data = identity_data || '{"email_verified": true}', updated_at = now()
    from account where i.user_id = account.id and i.provider = 'email'`)
}
