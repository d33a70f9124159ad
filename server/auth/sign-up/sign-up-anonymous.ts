import { serviceRole } from '../../postgres/caller.ts'
import { recordAudit } from '../audit.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { addressKeyOf, type RequestOrigin } from '../request-origin.ts'
import { openSession, type SessionResponse } from '../sessions/sessions.ts'
import { createAccount } from '../users/create-account.ts'

/**
 * An account that has nothing but its session (auth-js `signInAnonymously`). It becomes a regular one when the user adds an address or a
 * number (`PUT /user`). @throws GatewayError 422 `anonymous_provider_disabled`, `signup_disabled`; 429.
 */
export async function signUpAnonymously(
  ctx: AuthContext,
  data: Readonly<Record<string, unknown>>,
  visitor: RequestOrigin,
): Promise<SessionResponse> {
  if (!ctx.config.auth.anonymousUsers) throw authErrors.anonymousDisabled()
  if (ctx.config.auth.disableSignup) throw authErrors.signupDisabled()
  const wait = await ctx.limits.anonymousUsers.take(addressKeyOf(visitor))
  if (wait > 0) throw authErrors.overRequestRate(wait)
  return ctx.database.transaction(serviceRole, async (db) => {
    const account = await createAccount(db, {
      email: null,
      passwordHash: null,
      confirmed: false,
      isAnonymous: true,
      userMetadata: data,
    })
    await recordAudit(db, 'user_signedup', account, visitor, { provider: 'anonymous' })
    return openSession(ctx, db, account, { method: 'anonymous', provider: 'anonymous' }, visitor)
  })
}
