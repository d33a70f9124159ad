import type { CallerResolver } from '../http/caller.ts'
import { GatewayError } from '../http/errors.ts'
import type { Caller } from '../postgres/caller.ts'
import { JoinRefused } from './join-config.ts'

/** As whom a channel listens, and until when. A key has no end that matters. */
export type Authorization = { readonly caller: Caller; readonly expiresAt: Date | undefined }

/**
 * @param token a user's token, which outranks the key the connection was opened with.
 * @throws JoinRefused in the words of Supabase's realtime, which clients show.
 */
export async function authorize(
  callers: CallerResolver,
  byKey: Caller,
  token: string | undefined,
): Promise<Authorization> {
  if (token === undefined) return { caller: byKey, expiresAt: undefined }
  try {
    const caller = await callers.fromToken(token)
    const { exp } = caller.claims
    return { caller, expiresAt: typeof exp === 'number' ? new Date(exp * 1000) : undefined }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    throw new JoinRefused(
      error.code === 'jwt_expired'
        ? 'InvalidJWTToken: Token has expired'
        : 'MalformedJWT: The token provided is not a valid JWT',
    )
  }
}
