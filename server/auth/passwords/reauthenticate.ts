import { serviceRole } from '../../postgres/caller.ts'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { recordAudit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { reauthenticationMail } from '../email/account-emails.ts'
import { countMail } from '../email/send-mail.ts'
import { authErrors } from '../errors.ts'
import { issueOneTimeToken, linkFor, spendOneTimeToken } from '../one-time-tokens/one-time-tokens.ts'
import { countSms, requireSms, sendCode, testCodeOf } from '../phone/send-sms.ts'
import type { RequestOrigin } from '../request-origin.ts'
import type { Requester } from '../sessions/requester.ts'
import type { Account } from '../users/account.ts'

/** Sends the signed-in user a code that authorizes a change (API-AUTH-14). */
export async function requestReauthentication(
  ctx: AuthContext,
  { account }: Requester,
  visitor: RequestOrigin,
): Promise<void> {
  const { email, phone } = account
  if (!email && phone) return requestByPhone(ctx, account, phone, visitor)
  if (!email) throw authErrors.validationFailed('Reauthentication requires the user to have an email or a phone number')
  await countMail(ctx, email, visitor)
  const token = await ctx.database.transaction(serviceRole, async (db) => {
    await recordAudit(db, 'user_reauthenticate_requested', account, visitor)
    return issueOneTimeToken(ctx, db, account.id, 'reauthentication_token', email)
  })
  await ctx.mailer.send(reauthenticationMail(ctx, email, token)).catch((cause: unknown) => {
    throw authErrors.mailNotSent(cause)
  })
}

async function requestByPhone(ctx: AuthContext, account: Account, phone: string, visitor: RequestOrigin) {
  requireSms(ctx)
  await countSms(ctx, phone, visitor)
  const { code } = await ctx.database.transaction(serviceRole, async (db) => {
    await recordAudit(db, 'user_reauthenticate_requested', account, visitor)
    const options = { code: testCodeOf(ctx, phone) }
    return issueOneTimeToken(ctx, db, account.id, 'reauthentication_token', phone, options)
  })
  await sendCode(ctx, { phone, code, userId: account.id }).catch((cause: unknown) => {
    throw authErrors.smsNotSent(cause)
  })
}

/** @throws GatewayError 422 `reauthentication_not_valid` for a wrong, used, or old code; 429. */
export async function requireNonce(
  ctx: AuthContext,
  db: CallerDb,
  { account }: Requester,
  nonce: string,
  visitor: RequestOrigin,
) {
  const wait = await ctx.limits.codeGuesses.take(account.id, visitor)
  if (wait > 0) throw authErrors.overRequestRate(wait)
  const link = linkFor(ctx, account.id, 'reauthentication_token', account.email ?? account.phone ?? '', nonce)
  const spent = await spendOneTimeToken(ctx, db, link, ['reauthentication_token'])
  if (!spent) throw authErrors.nonceNotValid()
}
