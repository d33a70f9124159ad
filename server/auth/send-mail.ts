import type { AuthContext } from './context.ts'
import { authErrors } from './errors.ts'
import type { Visitor } from './visitor.ts'

/**
 * Counts a mail that is about to go to an address, whether or not the address has an account.
 * @throws GatewayError 429 `over_email_send_rate_limit`.
 */
export function requireMailAllowed({ limits }: AuthContext, email: string, { ip }: Visitor) {
  const wait = limits.emailPause.take(email) || limits.emailSent.take(ip ?? '')
  if (wait > 0) throw authErrors.overEmailRate(wait)
}
