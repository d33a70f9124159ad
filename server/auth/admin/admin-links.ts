import { serviceRole } from '../../postgres/caller.ts'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import { recordAudit } from '../audit.ts'
import type { Body } from '../body.ts'
import type { AuthContext } from '../context.ts'
import { invitationMail, verifyUrl } from '../email/account-emails.ts'
import { requestEmailChange } from '../email/email-change.ts'
import { readEmail } from '../email/read-email-address.ts'
import { authErrors } from '../errors.ts'
import type { OneTimeToken, OneTimeTokenType } from '../one-time-tokens/one-time-token.ts'
import { issueOneTimeToken } from '../one-time-tokens/one-time-tokens.ts'
import { hashPassword, requireStrongPassword } from '../passwords/passwords.ts'
import type { RequestOrigin } from '../request-origin.ts'
import { type Account, findAccount, findAccountByEmail } from '../users/account.ts'
import { createAccount } from '../users/create-account.ts'
import { renderUser } from '../users/render-user.ts'

type Made = { readonly account: Account; readonly token: OneTimeToken }

/**
 * Invites a user by email (API-AUTH-28): creates the account, whose link lets them choose a password. Until it is
 * confirmed, the invitation can be sent again. @throws GatewayError 422 `email_exists`.
 */
export async function inviteUser(
  ctx: AuthContext,
  body: Body,
  redirectTo: string,
  visitor: RequestOrigin,
): Promise<Account> {
  const email = requireEmail(body)
  const data = body.data('data') ?? {}
  const { account, token } = await ctx.database.transaction(serviceRole, async (db) => {
    const invited = await prepareUnconfirmed(db, { email, passwordHash: null, data, isInvitation: true })
    await recordAudit(db, 'user_invited', invited, visitor, { by: 'service_role' })
    return { account: invited, token: await issueOneTimeToken(ctx, db, invited.id, 'confirmation_token', email) }
  })
  await ctx.mailer.send(invitationMail(ctx, email, token, redirectTo)).catch((cause: unknown) => {
    throw authErrors.mailNotSent(cause)
  })
  return account
}

/** Creates a link without sending it (API-AUTH-27), for operators who send emails themselves. */
export async function generateLink(ctx: AuthContext, body: Body, redirectTo: string, visitor: RequestOrigin) {
  const type = body.text('type') ?? ''
  const make = kinds.get(type)
  if (!make) throw authErrors.validationFailed(`type must be one of ${[...kinds.keys()].join(', ')}`)
  const email = requireEmail(body)
  const passwordHash = await readPassword(ctx, body)
  const { account, token } = await ctx.database.transaction(serviceRole, async (db) => {
    const made = await make({ ctx, db, email, passwordHash, body })
    await recordAudit(db, 'user_modified', made.account, visitor, { by: 'service_role', link: type })
    return made
  })
  // Both confirmations of a new address use the same type in the link.
  const verification = type.startsWith('email_change') ? 'email_change' : type
  return {
    ...renderUser(account),
    action_link: verifyUrl(ctx, token, verification, redirectTo),
    email_otp: token.code,
    hashed_token: token.link,
    redirect_to: redirectTo,
    verification_type: type,
  }
}

type LinkRequest = {
  readonly ctx: AuthContext
  readonly db: CallerDb
  readonly email: string
  readonly passwordHash: string | null
  readonly body: Body
}

const kinds: ReadonlyMap<string, (request: LinkRequest) => Promise<Made>> = new Map([
  ['signup', forSignUp],
  ['invite', forInvitation],
  ['magiclink', forEntry],
  ['recovery', forEntry],
  ['email_change_current', (request: LinkRequest) => forEmailChange(request, 'email_change_token_current')],
  ['email_change_new', (request: LinkRequest) => forEmailChange(request, 'email_change_token_new')],
])

async function forSignUp({ ctx, db, email, passwordHash, body }: LinkRequest): Promise<Made> {
  if (!passwordHash) throw authErrors.validationFailed('Signup requires a valid password')
  const data = body.data('data') ?? {}
  const account = await prepareUnconfirmed(db, { email, passwordHash, data, isInvitation: false })
  return { account, token: await issueOneTimeToken(ctx, db, account.id, 'confirmation_token', email) }
}

async function forInvitation({ ctx, db, email, body }: LinkRequest): Promise<Made> {
  const data = body.data('data') ?? {}
  const account = await prepareUnconfirmed(db, { email, passwordHash: null, data, isInvitation: true })
  return { account, token: await issueOneTimeToken(ctx, db, account.id, 'confirmation_token', email) }
}

async function forEntry({ ctx, db, email }: LinkRequest): Promise<Made> {
  const account = await requireAccount(db, email)
  return { account, token: await issueOneTimeToken(ctx, db, account.id, 'recovery_token', email) }
}

async function forEmailChange({ ctx, db, email, body }: LinkRequest, side: OneTimeTokenType): Promise<Made> {
  const newEmail = readEmail(body, 'new_email')
  if (!newEmail) throw authErrors.validationFailed('new_email is required')
  const account = await requireAccount(db, email)
  await requestEmailChange(db, account, newEmail)
  const address = side === 'email_change_token_new' ? newEmail : email
  const changing = (await findAccount(db, account.id)) ?? account
  return { account: changing, token: await issueOneTimeToken(ctx, db, account.id, side, address) }
}

/** The account of an address that nobody has confirmed yet; created if there is none. */
async function prepareUnconfirmed(
  db: CallerDb,
  request: {
    readonly email: string
    readonly passwordHash: string | null
    readonly data: Readonly<Record<string, unknown>>
    readonly isInvitation: boolean
  },
): Promise<Account> {
  const { email, passwordHash, data, isInvitation } = request
  const known = await findAccountByEmail(db, email)
  if (known?.email_confirmed_at) throw authErrors.emailExists()
  const account = known ?? (await createAccount(db, { email, passwordHash, confirmed: false, userMetadata: data }))
  if (!isInvitation) return account
  await db.rows(sql`update auth.users set invited_at = now(), updated_at = now() where id = ${account.id}`)
  return (await findAccount(db, account.id)) ?? account
}

async function requireAccount(db: CallerDb, email: string): Promise<Account> {
  const account = await findAccountByEmail(db, email)
  if (!account || account.deleted_at) throw authErrors.userNotFound()
  return account
}

function requireEmail(body: Body): string {
  const email = readEmail(body)
  if (!email) throw authErrors.validationFailed('An email address is required')
  return email
}

async function readPassword(ctx: AuthContext, body: Body): Promise<string | null> {
  const password = body.text('password')
  if (!password) return null
  requireStrongPassword(password, ctx.config.auth)
  return hashPassword(password)
}
