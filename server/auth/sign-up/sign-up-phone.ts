import pg from 'pg'
import { GatewayError } from '../../http/errors.ts'
import { serviceRole } from '../../postgres/caller.ts'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { DatabaseFailure } from '../../postgres/database-failure.ts'
import { sql } from '../../postgres/sql.ts'
import { recordAudit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { entryToken, issueOneTimeToken } from '../one-time-tokens/one-time-tokens.ts'
import { hashPassword, requireStrongPassword } from '../passwords/passwords.ts'
import { countSms, requireSms, sendCode, testCodeOf } from '../phone/send-sms.ts'
import { addressKeyOf, type RequestOrigin } from '../request-origin.ts'
import { openSession, type SessionResponse } from '../sessions/sessions.ts'
import { findAccountByPhone } from '../users/account.ts'
import { createAccount, type NewAccount, withTidyUsername } from '../users/create-account.ts'
import { type RenderedUser, renderUser } from '../users/render-user.ts'
import { buildDecoyUser } from './decoy-user.ts'
import { requireAvailableUsername } from './username-available.ts'

export type PhoneSignUp = {
  readonly phone: string
  readonly password: string
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * Creates an account for a number (API-AUTH-01), which a code confirms. The response for a taken number looks new.
 * @throws GatewayError 400 `phone_provider_disabled`; 422 `weak_password`, `username_taken`, `sms_send_failed`, `signup_disabled`; 429.
 */
export async function signUpByPhone(ctx: AuthContext, { phone, password, data }: PhoneSignUp, visitor: RequestOrigin) {
  requireSms(ctx)
  if (ctx.config.auth.disableSignup) throw authErrors.signupDisabled()
  requireStrongPassword(password, ctx.config.auth)
  const wait = await ctx.limits.signUp.take(addressKeyOf(visitor))
  if (wait > 0) throw authErrors.overRequestRate(wait)
  const passwordHash = await hashPassword(password)
  const { autoconfirm } = ctx.config.auth.sms
  const account = { email: null, phone, passwordHash, confirmed: autoconfirm, userMetadata: data }
  return autoconfirm ? signUpAtOnce(ctx, account, visitor) : signUpToConfirm(ctx, { ...account, phone }, visitor)
}

async function signUpAtOnce(
  ctx: AuthContext,
  newAccount: NewAccount,
  visitor: RequestOrigin,
): Promise<SessionResponse> {
  try {
    return await ctx.database.transaction(serviceRole, async (db) => {
      const account = await createAccount(db, newAccount)
      await recordAudit(db, 'user_signedup', account, visitor, { provider: 'phone' })
      return await openSession(ctx, db, account, { method: 'password', provider: 'phone' }, visitor)
    })
  } catch (error) {
    throw isPhoneTaken(error) ? authErrors.userAlreadyExists() : error
  }
}

async function signUpToConfirm(
  ctx: AuthContext,
  newAccount: NewAccount & { readonly phone: string },
  visitor: RequestOrigin,
): Promise<RenderedUser> {
  const { phone } = newAccount
  await requireAvailableUsername(ctx, newAccount.userMetadata.username)
  await countSms(ctx, phone, visitor)
  const created = await ctx.database
    .transaction(serviceRole, async (db) => {
      const account = await createAccount(db, newAccount)
      await recordAudit(db, 'user_confirmation_requested', account, visitor, { provider: 'phone' })
      return { account, token: await issueCode(ctx, db, account.id, phone) }
    })
    .catch((error: unknown) => {
      if (isPhoneTaken(error)) return undefined
      throw error
    })
  if (!created) return answerKnownNumber(ctx, newAccount, visitor)
  try {
    await sendCode(ctx, { phone, code: created.token.code, userId: created.account.id })
  } catch (cause) {
    // Nobody could ever confirm it, so a failed sign-up leaves nothing behind.
    await ctx.db.rows(sql`delete from auth.users where id = ${created.account.id} and phone_confirmed_at is null`)
    const isKnown = cause instanceof GatewayError || cause instanceof DatabaseFailure
    throw isKnown ? cause : authErrors.smsNotSent(cause)
  }
  return renderUser({ ...created.account, confirmation_sent_at: new Date() })
}

/** The number has an account, which the caller must not find out. While it is unconfirmed, its owner gets another code. */
async function answerKnownNumber(
  ctx: AuthContext,
  { phone, userMetadata }: NewAccount & { readonly phone: string },
  visitor: RequestOrigin,
): Promise<RenderedUser> {
  const account = await findAccountByPhone(ctx.db, phone)
  if (account) {
    await recordAudit(ctx.db, 'user_repeated_signup', account, visitor, { provider: 'phone' })
    if (!account.phone_confirmed_at) {
      const { code } = await ctx.database.transaction(serviceRole, async (db) =>
        issueOneTimeToken(ctx, db, account.id, await entryToken(db, account.id), phone, {
          code: testCodeOf(ctx, phone),
        }),
      )
      await sendCode(ctx, { phone, code, userId: account.id }).catch((cause: unknown) => {
        throw authErrors.smsNotSent(cause)
      })
    }
  }
  return renderUser(buildDecoyUser({ phone }, withTidyUsername(userMetadata)))
}

function issueCode(ctx: AuthContext, db: CallerDb, id: string, phone: string) {
  return issueOneTimeToken(ctx, db, id, 'confirmation_token', phone, { code: testCodeOf(ctx, phone) })
}

function isPhoneTaken(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.constraint === 'users_phone_key'
}
