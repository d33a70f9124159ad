import { serviceRole } from '../../postgres/caller.ts'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import { recordAudit, recordRefusal } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { confirmEmailChange } from '../email/email-change.ts'
import { authErrors } from '../errors.ts'
import { confirmPhoneChange } from '../phone/phone-change.ts'
import { addressKeyOf, type RequestOrigin } from '../request-origin.ts'
import { issueAuthCode } from '../sessions/code-challenge.ts'
import { openSession, type SessionResponse } from '../sessions/sessions.ts'
import { findAccount, findAccountByEmail, findAccountByPhone, isBanned } from '../users/account.ts'
import type { OneTimeTokenType } from './one-time-token.ts'
import { linkFor, type SpentToken, spendOneTimeToken } from './one-time-tokens.ts'

/** The client's name for a proof, and the token types that it accepts (supabase/auth `internal/api/verify.go`). */
export const verifyTypes: ReadonlyMap<string, readonly OneTimeTokenType[]> = new Map([
  ['signup', ['confirmation_token', 'recovery_token']],
  ['invite', ['confirmation_token']],
  ['recovery', ['recovery_token']],
  ['magiclink', ['recovery_token']],
  ['email', ['confirmation_token', 'recovery_token']],
  ['email_change', ['email_change_token_new', 'email_change_token_current']],
  ['sms', ['confirmation_token', 'recovery_token']],
  ['phone_change', ['phone_change_token']],
])

/** The types whose code went to a phone. */
export const phoneTypes: ReadonlySet<string> = new Set(['sms', 'phone_change'])

/** Either a link's token (`isFollowed`: in a browser, so that a flow that began there continues there), or a code typed for the address. */
export type Proof = { readonly type: string; readonly link: string; readonly isFollowed?: boolean } | TypedCode

/** `to`: the address or number to which the code was sent. */
type TypedCode = { readonly type: string; readonly to: string; readonly code: string }

/** `code`: to be exchanged by the browser that began the flow. `half`: the first of two confirmations of a new address. */
export type Verified = { readonly session: SessionResponse } | { readonly code: string } | { readonly half: true }

/**
 * Spends a token and signs its owner in, which confirms their address (API-AUTH-08).
 * @throws GatewayError 403 `otp_expired` for a wrong, used, or old one; 400 `user_banned`; 429.
 */
export async function verify(ctx: AuthContext, proof: Proof, visitor: RequestOrigin): Promise<Verified> {
  await requireTry(ctx, proof, visitor)
  if ('link' in proof) return enter(ctx, proof, [proof.link], visitor)
  const addressee = await findAddressee(ctx, proof.type, proof.to)
  const { type } = proof
  return recordRefusal(ctx.db, addressee, visitor, { proof: type }, () =>
    enter(ctx, proof, linksFor(ctx, proof, addressee), visitor),
  )
}

async function enter(
  ctx: AuthContext,
  proof: Proof,
  links: readonly string[],
  visitor: RequestOrigin,
): Promise<Verified> {
  return ctx.database.transaction(serviceRole, async (db) => {
    const spent = await spendFirst(ctx, db, links, verifyTypes.get(proof.type) ?? [])
    if (!spent) throw 'link' in proof ? authErrors.otpExpired() : authErrors.codeExpired()
    if (spent.token_type.startsWith('email_change') && !(await confirmEmailChange(db, spent))) return { half: true }
    if (spent.token_type === 'phone_change_token') await confirmPhoneChange(db, spent)
    const isFirst = await confirmAddress(db, spent)
    const account = await findAccount(db, spent.user_id)
    if (!account || account.deleted_at) throw authErrors.otpExpired()
    if (isBanned(account)) throw authErrors.userBanned()
    const provider = isPhone(spent.relates_to) ? 'phone' : 'email'
    await recordAudit(db, isFirst ? 'user_signedup' : 'login', account, visitor, { provider, proof: proof.type })
    if ('link' in proof && proof.isFollowed && spent.flow_state_id)
      return { code: await issueAuthCode(db, spent.flow_state_id) }
    return { session: await openSession(ctx, db, account, { method: 'otp', provider }, visitor) }
  })
}

/**
 * A code has six digits, so attempts are also counted for the address to which it was sent. A link can't be guessed, so its attempts count
 * only for the client's address, and let the owner in while others guess.
 */
async function requireTry({ limits }: AuthContext, proof: Proof, visitor: RequestOrigin) {
  const wait =
    (await limits.verify.take(addressKeyOf(visitor))) ||
    ('to' in proof ? await limits.codeGuesses.take(proof.to, visitor) : 0)
  if (wait > 0) throw authErrors.overRequestRate(wait)
}

function linksFor(ctx: AuthContext, { type, to, code }: TypedCode, account: Addressee | undefined): readonly string[] {
  const types = verifyTypes.get(type) ?? []
  // Does the same work if there is no account: response times must not reveal who has one.
  return types.map((tokenType) => linkFor(ctx, account?.id ?? nobody, tokenType, to, code))
}

const nobody = '00000000-0000-0000-0000-000000000000'

type Addressee = { readonly id: string; readonly email: string | null }

async function findAddressee({ db }: AuthContext, type: string, to: string): Promise<Addressee | undefined> {
  if (type === 'phone_change') return findChanging(db, 'phone_change_token', to)
  if (type === 'sms') return findAccountByPhone(db, to)
  if (type !== 'email_change') return findAccountByEmail(db, to)
  const [account, changing] = await Promise.all([
    findAccountByEmail(db, to),
    findChanging(db, 'email_change_token_new', to),
  ])
  return account ?? changing
}

async function findChanging(db: CallerDb, type: OneTimeTokenType, to: string) {
  const [account] = await db.rows<Addressee>(sql`
    select user_id as id, null as email from auth.one_time_tokens
    where token_type = ${type} and relates_to = ${to} order by created_at desc limit 1`)
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

/** The token proves that the address or number is theirs. @returns whether it was unconfirmed before. */
async function confirmAddress(db: CallerDb, spent: SpentToken): Promise<boolean> {
  if (spent.token_type !== 'confirmation_token' && spent.token_type !== 'recovery_token') return false
  return isPhone(spent.relates_to) ? confirmPhone(db, spent) : confirmEmail(db, spent)
}

/**
 * Doesn't confirm an address that changed since the token was sent. Users who come by a link other than the sign-up's own may
 * never have chosen the account's password: a stranger who signed up with their address must not share the account.
 */
async function confirmEmail(db: CallerDb, { user_id: userId, relates_to: email, token_type: type }: SpentToken) {
  const confirmed = await db.rows(sql`
    with account as (
      update auth.users set
        email_confirmed_at = now(), updated_at = now(),
        encrypted_password = case when ${type === 'recovery_token'}::boolean then null else encrypted_password end
      where id = ${userId} and lower(email) = ${email} and email_confirmed_at is null returning id
    ), identity as (
      update auth.identities i set identity_data = identity_data || '{"email_verified": true}', updated_at = now()
      from account where i.user_id = account.id and i.provider = 'email'
    )
    select id from account`)
  return confirmed.length > 0
}

/** As `confirmEmail`. */
async function confirmPhone(db: CallerDb, { user_id: userId, relates_to: phone, token_type: type }: SpentToken) {
  const confirmed = await db.rows(sql`
    with account as (
      update auth.users set
        phone_confirmed_at = now(), updated_at = now(),
        encrypted_password = case when ${type === 'recovery_token'}::boolean then null else encrypted_password end
      where id = ${userId} and phone = ${phone} and phone_confirmed_at is null returning id
    ), identity as (
      update auth.identities i set identity_data = identity_data || '{"phone_verified": true}', updated_at = now()
      from account where i.user_id = account.id and i.provider = 'phone'
    )
    select id from account`)
  return confirmed.length > 0
}

function isPhone(address: string): boolean {
  return !address.includes('@')
}
