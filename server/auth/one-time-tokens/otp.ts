import { serviceRole } from '../../postgres/caller.ts'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import { inBackground } from '../after-response.ts'
import { recordAudit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { signInMail } from '../email/account-emails.ts'
import { countMail } from '../email/send-mail.ts'
import type { MailRequest } from '../passwords/recover.ts'
import { countSms, requireSms, sendCode, testCodeOf } from '../phone/send-sms.ts'
import type { RequestOrigin } from '../request-origin.ts'
import { beginFlow } from '../sessions/code-challenge.ts'
import { requireAvailableUsername } from '../sign-up/username-available.ts'
import { type Account, findAccountByEmail, findAccountByPhone } from '../users/account.ts'
import { createAccount } from '../users/create-account.ts'
import type { OneTimeTokenType } from './one-time-token.ts'
import { entryToken, issueOneTimeToken, resentToken } from './one-time-tokens.ts'

type Entry = {
  /** Whether an unknown address or number gets an account. */
  readonly createUser: boolean
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * Sends a link and a code for signing in (API-AUTH-07). It returns before the lookup: known and unknown addresses get the
 * same response in the same time, `shouldCreateUser: false` included.
 * @throws GatewayError 422 `username_taken`, 429 `over_email_send_rate_limit`, for known and unknown addresses alike.
 */
export async function requestEmailEntry(
  ctx: AuthContext,
  { email, redirectTo, codeChallenge, createUser, data }: MailRequest & Entry,
  visitor: RequestOrigin,
): Promise<void> {
  await requireAvailableUsername(ctx, data.username)
  await countMail(ctx, email, visitor)
  inBackground(ctx, async () => {
    const mail = await ctx.database.transaction(serviceRole, async (db) => {
      const known = await findAccountByEmail(db, email)
      const account = known ?? (mayCreate(ctx, createUser) ? await create(db, { email, phone: null }, data) : undefined)
      if (!account || account.deleted_at) return undefined
      const type = account.email_confirmed_at ? 'recovery_token' : await entryToken(db, account.id)
      await recordAudit(db, auditOf(type), account, visitor, { provider: 'email' })
      const kind = type === 'confirmation_token' ? 'signup' : 'magiclink'
      const flow = await beginFlow(db, account.id, kind, codeChallenge)
      const token = await issueOneTimeToken(ctx, db, account.id, type, email, { flow })
      return signInMail(ctx, email, token, kind, redirectTo)
    })
    if (mail) await ctx.mailer.send(mail)
  })
}

/**
 * The same by text message. @returns before the lookup.
 * @throws GatewayError 400 `phone_provider_disabled`; 422 `username_taken`; 429 `over_sms_send_rate_limit`.
 */
export async function requestPhoneEntry(
  ctx: AuthContext,
  { phone, createUser, data }: { readonly phone: string } & Entry,
  visitor: RequestOrigin,
): Promise<void> {
  requireSms(ctx)
  await requireAvailableUsername(ctx, data.username)
  await countSms(ctx, phone, visitor)
  inBackground(ctx, async () => {
    const message = await ctx.database.transaction(serviceRole, async (db) => {
      const known = await findAccountByPhone(db, phone)
      const account = known ?? (mayCreate(ctx, createUser) ? await create(db, { email: null, phone }, data) : undefined)
      if (!account || account.deleted_at) return undefined
      await recordAudit(db, 'user_confirmation_requested', account, visitor, { provider: 'phone' })
      const code = testCodeOf(ctx, phone)
      const type = account.phone_confirmed_at ? 'confirmation_token' : await entryToken(db, account.id)
      const token = await issueOneTimeToken(ctx, db, account.id, type, phone, { code })
      return { phone, code: token.code, userId: account.id }
    })
    if (message) await sendCode(ctx, message)
  })
}

/** Resends the code for a number that must be confirmed: of a sign-up (`sms`) or of a change (`phone_change`). */
export async function resendCode(
  ctx: AuthContext,
  type: 'sms' | 'phone_change',
  phone: string,
  visitor: RequestOrigin,
): Promise<void> {
  requireSms(ctx)
  await countSms(ctx, phone, visitor)
  inBackground(ctx, async () => {
    const isChange = type === 'phone_change'
    const account = await (isChange ? findChangingTo(ctx.db, phone) : findAccountByPhone(ctx.db, phone))
    if (!account || account.deleted_at || (!isChange && account.phone_confirmed_at)) return
    const { code } = await ctx.database.transaction(serviceRole, async (db) => {
      const type = isChange ? 'phone_change_token' : await resentToken(db, account.id)
      return issueOneTimeToken(ctx, db, account.id, type, phone, { code: testCodeOf(ctx, phone) })
    })
    await sendCode(ctx, { phone, code, userId: account.id })
  })
}

type Changing = Pick<Account, 'id' | 'deleted_at' | 'phone_confirmed_at'>

async function findChangingTo(db: CallerDb, phone: string): Promise<Changing | undefined> {
  // Two users may have typed the same number. Its holder can't confirm both, and the later request is the likelier one.
  const [account] = await db.rows<Changing>(sql`
    select id, deleted_at, phone_confirmed_at from auth.users
    where phone_change = ${phone} order by phone_change_sent_at desc nulls last limit 1`)
  return account
}

function mayCreate({ config }: AuthContext, createUser: boolean): boolean {
  return createUser && !config.auth.disableSignup
}

/** Unconfirmed, even if sign-up confirms at once: the code is the only proof. */
function create(
  db: CallerDb,
  address: { readonly email: string | null; readonly phone: string | null },
  data: Readonly<Record<string, unknown>>,
): Promise<Account> {
  return createAccount(db, { ...address, passwordHash: null, confirmed: false, userMetadata: data })
}

function auditOf(type: OneTimeTokenType) {
  return type === 'confirmation_token' ? 'user_confirmation_requested' : 'user_recovery_requested'
}
