import type { AuthContext } from './context.ts'
import { authErrors } from './errors.ts'
import type { Visitor } from './visitor.ts'

/** The limits hold for an address whether or not it has an account: they must not tell. */
export async function requireMailAllowed({ limits }: AuthContext, email: string, { ip }: Visitor) {
  const wait = (await limits.emailPause.wait(email)) || (await limits.emailSent.wait(ip ?? ''))
  if (wait > 0) throw authErrors.overEmailRate(wait)
}

/**
 * Counts a mail that is about to go out.
 * @throws GatewayError 429 `over_email_send_rate_limit`.
 */
export async function countMail({ limits }: AuthContext, email: string, { ip }: Visitor) {
  const wait = (await limits.emailPause.take(email)) || (await limits.emailSent.take(ip ?? ''))
  if (wait > 0) throw authErrors.overEmailRate(wait)
}
