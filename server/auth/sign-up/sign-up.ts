import pg from 'pg'
import { GatewayError } from '../../http/errors.ts'
import { serviceRole } from '../../postgres/caller.ts'
import { DatabaseFailure } from '../../postgres/database-failure.ts'
import { sql } from '../../postgres/sql.ts'
import { recordAudit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { confirmationMail, existingAccountMail } from '../email/account-emails.ts'
import { countMail, requireMailAllowed } from '../email/send-mail.ts'
import { authErrors } from '../errors.ts'
import { entryToken, issueOneTimeToken } from '../one-time-tokens/one-time-tokens.ts'
import { hashPassword, requireStrongPassword } from '../passwords/passwords.ts'
import { addressKeyOf, type RequestOrigin } from '../request-origin.ts'
import { beginFlow, type CodeChallenge } from '../sessions/code-challenge.ts'
import { openSession, type SessionResponse } from '../sessions/sessions.ts'
import { findAccountByEmail } from '../users/account.ts'
import { createAccount, type NewAccount, withTidyUsername } from '../users/create-account.ts'
import { type RenderedUser, renderUser } from '../users/render-user.ts'
import { buildDecoyUser } from './decoy-user.ts'
import { requireAvailableUsername } from './username-available.ts'

export type SignUp = {
  readonly email: string
  readonly password: string
  /** username, display_name, is_creator, terms_accepted, ref (API-AUTH-01), and anything else from the client. */
  readonly data: Readonly<Record<string, unknown>>
  /** The final URL of the link in the confirmation email. */
  readonly redirectTo: string
  readonly codeChallenge: CodeChallenge | undefined
}

/**
 * Creates an account (API-AUTH-01). Without SMTP it is confirmed and signed in at once; with SMTP an email asks for confirmation and
 * the response is only the user (AUTH-17, D19). Account, identity, profile, and session are created together or not at all.
 * @throws GatewayError 422 `user_already_exists`, `username_taken`, `weak_password`, `signup_disabled`; 429.
 */
export async function signUp(ctx: AuthContext, request: SignUp, visitor: RequestOrigin) {
  if (ctx.config.auth.disableSignup) throw authErrors.signupDisabled()
  requireStrongPassword(request.password, ctx.config.auth)
  const wait = await ctx.limits.signUp.take(addressKeyOf(visitor))
  if (wait > 0) throw authErrors.overRequestRate(wait)
  const passwordHash = await hashPassword(request.password)
  const account = { email: request.email, passwordHash, userMetadata: request.data }
  return ctx.config.auth.mailerAutoconfirm
    ? signUpAtOnce(ctx, { ...account, confirmed: true }, visitor)
    : signUpToConfirm(ctx, request, { ...account, confirmed: false }, visitor)
}

async function signUpAtOnce(
  ctx: AuthContext,
  newAccount: NewAccount,
  visitor: RequestOrigin,
): Promise<SessionResponse> {
  try {
    return await ctx.database.transaction(serviceRole, async (db) => {
      const account = await createAccount(db, newAccount)
      await recordAudit(db, 'user_signedup', account, visitor, { provider: 'email' })
      return await openSession(ctx, db, account, { method: 'password', provider: 'email' }, visitor)
    })
  } catch (error) {
    throw isEmailTaken(error) ? authErrors.userAlreadyExists() : error
  }
}

async function signUpToConfirm(
  ctx: AuthContext,
  request: SignUp,
  newAccount: NewAccount & { readonly email: string },
  visitor: RequestOrigin,
): Promise<RenderedUser> {
  // Checked first and counted last, so that choosing another username involves no wait.
  await requireMailAllowed(ctx, request.email, visitor)
  const created = await createUnconfirmed(ctx, newAccount, request.codeChallenge, visitor)
  if (!created) return answerKnownAddress(ctx, request, visitor)
  try {
    await countMail(ctx, request.email, visitor)
    await ctx.mailer.send(confirmationMail(ctx, request.email, created.token, request.redirectTo))
  } catch (cause) {
    // Nobody could ever confirm it, so a failed sign-up leaves nothing behind.
    await ctx.db.rows(sql`delete from auth.users where id = ${created.account.id} and email_confirmed_at is null`)
    const isKnown = cause instanceof GatewayError || cause instanceof DatabaseFailure
    throw isKnown ? cause : authErrors.mailNotSent(cause)
  }
  return renderUser({ ...created.account, confirmation_sent_at: new Date() })
}

/** Undefined if the address has an account. */
async function createUnconfirmed(
  ctx: AuthContext,
  newAccount: NewAccount & { readonly email: string },
  codeChallenge: CodeChallenge | undefined,
  visitor: RequestOrigin,
) {
  try {
    return await ctx.database.transaction(serviceRole, async (db) => {
      const account = await createAccount(db, newAccount)
      const flow = await beginFlow(db, account.id, 'signup', codeChallenge)
      const token = await issueOneTimeToken(ctx, db, account.id, 'confirmation_token', newAccount.email, { flow })
      await recordAudit(db, 'user_confirmation_requested', account, visitor, { provider: 'email' })
      return { account, token }
    })
  } catch (error) {
    if (isEmailTaken(error)) return undefined
    throw error
  }
}

/**
 * The address has an account, which the caller must not find out: they get a user that looks new, and the owner gets an email.
 * The new data changes nothing, because the owner may not have typed it.
 */
async function answerKnownAddress(ctx: AuthContext, request: SignUp, visitor: RequestOrigin): Promise<RenderedUser> {
  const data = withTidyUsername(request.data)
  // A new account would have been rejected for an invalid or taken username, so this one is too.
  await requireAvailableUsername(ctx, data.username)
  const account = await findAccountByEmail(ctx.db, request.email)
  if (account) {
    await countMail(ctx, request.email, visitor)
    const mail = account.email_confirmed_at
      ? existingAccountMail(ctx, request.email)
      : await ctx.database.transaction(serviceRole, async (db) => {
          const flow = await beginFlow(db, account.id, 'signup', request.codeChallenge)
          const type = await entryToken(db, account.id)
          const token = await issueOneTimeToken(ctx, db, account.id, type, request.email, { flow })
          return confirmationMail(ctx, request.email, token, request.redirectTo, type)
        })
    await recordAudit(ctx.db, 'user_repeated_signup', account, visitor, { provider: 'email' })
    await ctx.mailer.send(mail).catch((cause: unknown) => {
      throw authErrors.mailNotSent(cause)
    })
  }
  return renderUser(buildDecoyUser({ email: request.email }, data))
}

function isEmailTaken(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.constraint === 'users_email_key'
}
