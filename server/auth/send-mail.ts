import type { AuthContext } from './context.ts'
import { authErrors } from './errors.ts'
import type { Visitor } from './visitor.ts'

/** The limits hold for an address whether or not it has an account: they must not tell. */
export function requireMailAllowed({ limits }: AuthContext, email: string, { ip }: Visitor) {
  const wait = limits.emailPause.wait(email) || limits.emailSent.wait(ip ?? '')
  if (wait > 0) throw authErrors.overEmailRate(wait)
}

/**
 * Counts a mail that is about to go out.
 * @throws GatewayError 429 `over_email_send_rate_limit`.
 */
export function countMail({ limits }: AuthContext, email: string, { ip }: Visitor) {
  const wait = limits.emailPause.take(email) || limits.emailSent.take(ip ?? '')
  if (wait > 0) throw authErrors.overEmailRate(wait)
}
