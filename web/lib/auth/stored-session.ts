import type { Session } from '@supabase/auth-js'

/** Where the official client keeps the session of this gateway in the browser (AUTH-27). */
export const sessionKey = (gateway: string): string => `sb-${new URL(gateway).hostname.split('.')[0]}-auth-token`

/** The client renews a session that ends within this time before it hands it out (`EXPIRY_MARGIN_MS` in auth-js' `constants.ts`, AUTH-25). */
const renewalMs = 90_000

/**
 * The session of a gateway as the client would hand it out, read while the client is not there: `null` where nobody is signed in,
 * `undefined` where the client has to say, because it ends soon or is none as the client stores it.
 */
export function storedSession(gateway: string): Session | null | undefined {
  try {
    const text = localStorage.getItem(sessionKey(gateway))
    if (!text) return null
    const stored: Partial<Session> | null = JSON.parse(text)
    return isWhole(stored) && stored.expires_at * 1000 - Date.now() >= renewalMs ? stored : undefined
  } catch {
    return null // storage that is blocked, or no JSON, holds no session for the client either
  }
}

const isWhole = (stored: Partial<Session> | null): stored is Session & { expires_at: number } =>
  typeof stored?.access_token === 'string' &&
  typeof stored.refresh_token === 'string' &&
  typeof stored.expires_at === 'number' &&
  typeof stored.user?.id === 'string'
