import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { addressKeyOf, type RequestOrigin } from '../request-origin.ts'

/**
 * The limits apply to an email address whether or not it has an account, and the pause applies to one visitor: errors depend only
 * on what the visitor did, so they never reveal whether someone else got a message.
 */
export async function requireMailAllowed({ limits }: AuthContext, email: string, visitor: RequestOrigin) {
  const wait =
    (await limits.emailPause.wait(pauseKey(email, visitor))) ||
    (await limits.emailSent.wait(addressKeyOf(visitor))) ||
    (await limits.emailSentTo.wait(email))
  if (wait > 0) throw authErrors.overEmailRate(wait)
}

/**
 * Counts an email before it is sent.
 * @throws GatewayError 429 `over_email_send_rate_limit`.
 */
export async function countMail({ limits }: AuthContext, email: string, visitor: RequestOrigin) {
  const wait =
    (await limits.emailPause.take(pauseKey(email, visitor))) ||
    (await limits.emailSent.take(addressKeyOf(visitor))) ||
    (await limits.emailSentTo.take(email))
  if (wait > 0) throw authErrors.overEmailRate(wait)
}

/** A stranger's requests must not use up the owner's. */
export const pauseKey = (to: string, visitor: RequestOrigin): string =>
  `${to}\0${visitor.deviceOf?.(to) ?? addressKeyOf(visitor)}`
