import type { Session } from '@supabase/auth-js'

/** The storage key under which the official client keeps this gateway's session (AUTH-27). */
export const sessionKey = (gateway: string): string => `sb-${new URL(gateway).hostname.split('.')[0]}-auth-token`

/** The client refreshes a session that expires within this time before returning it (`EXPIRY_MARGIN_MS` in auth-js' `constants.ts`, AUTH-25). */
const renewalMs = 90_000

/**
 * The stored session, as the client would return it: `null` when signed out,
 * `undefined` if the client has to decide, because the session expires soon or isn't in the client's format.
 */
export function storedSession(gateway: string): Session | null | undefined {
  const stored = readSession(gateway)
  if (!stored) return stored
  return stored.expires_at * 1000 - Date.now() >= renewalMs ? stored : undefined
}

/** The stored session, even if it has expired; `undefined` if it isn't in the client's format. */
export function readSession(gateway: string): WholeSession | null | undefined {
  try {
    const text = localStorage.getItem(sessionKey(gateway))
    if (!text) return null
    const stored: Partial<Session> | null = JSON.parse(text)
    return isWhole(stored) ? stored : undefined
  } catch {
    return null // blocked storage or invalid JSON is no session for the client either
  }
}

type WholeSession = Session & { expires_at: number }

const isWhole = (stored: Partial<Session> | null): stored is WholeSession =>
  typeof stored?.access_token === 'string' &&
  typeof stored.refresh_token === 'string' &&
  typeof stored.expires_at === 'number' &&
  typeof stored.user?.id === 'string'
