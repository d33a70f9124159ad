import { serviceRole } from '../../postgres/caller.ts'
import { inBackground } from '../after-response.ts'
import { recordAudit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { confirmationMail, recoveryMail } from '../email/account-emails.ts'
import { countMail } from '../email/send-mail.ts'
import { issueOneTimeToken, resentToken } from '../one-time-tokens/one-time-tokens.ts'
import type { RequestOrigin } from '../request-origin.ts'
import { beginFlow, type CodeChallenge } from '../sessions/code-challenge.ts'
import { findAccountByEmail } from '../users/account.ts'

export type MailRequest = {
  readonly email: string
  readonly redirectTo: string
  readonly codeChallenge: CodeChallenge | undefined
}

/**
 * Sends a link for choosing a new password (API-AUTH-09). It returns before the lookup: a known and an unknown address
 * get the same response in the same time.
 * @throws GatewayError 429 `over_email_send_rate_limit`, for known and unknown addresses alike.
 */
export async function requestRecovery(
  ctx: AuthContext,
  { email, redirectTo, codeChallenge }: MailRequest,
  visitor: RequestOrigin,
): Promise<void> {
  await countMail(ctx, email, visitor)
  inBackground(ctx, async () => {
    const account = await findAccountByEmail(ctx.db, email)
    if (!account || account.deleted_at) return
    const token = await ctx.database.transaction(serviceRole, async (db) => {
      await recordAudit(db, 'user_recovery_requested', account, visitor)
      const flow = await beginFlow(db, account.id, 'recovery', codeChallenge)
      return issueOneTimeToken(ctx, db, account.id, 'recovery_token', email, { flow })
    })
    await ctx.mailer.send(recoveryMail(ctx, email, token, redirectTo))
  })
}

/** Resends the confirmation of a sign-up (API-AUTH-10), with the same rules. */
export async function resendConfirmation(
  ctx: AuthContext,
  { email, redirectTo, codeChallenge }: MailRequest,
  visitor: RequestOrigin,
): Promise<void> {
  await countMail(ctx, email, visitor)
  inBackground(ctx, async () => {
    const account = await findAccountByEmail(ctx.db, email)
    if (!account || account.deleted_at || account.email_confirmed_at) return
    const { type, token } = await ctx.database.transaction(serviceRole, async (db) => {
      await recordAudit(db, 'user_confirmation_requested', account, visitor)
      const flow = await beginFlow(db, account.id, 'signup', codeChallenge)
      const type = await resentToken(db, account.id)
      return { type, token: await issueOneTimeToken(ctx, db, account.id, type, email, { flow }) }
    })
    await ctx.mailer.send(confirmationMail(ctx, email, token, redirectTo, type))
  })
}
