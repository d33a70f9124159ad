import type { Database } from '@ovation/contract/database'
import { AuthClient } from '@supabase/auth-js'
import { PostgrestClient } from '@supabase/postgrest-js'
import type { AppConfig } from './config.ts'
import { takeEarly } from './early.ts'
import { owesSecondFactor } from './second-factor.ts'
import { sessionKey } from './session-key.ts'

/*
 * The parts of @supabase/supabase-js, put together as its `createClient` does. `createClient` itself would load all five
 * before the first screen; here sign-in and queries come first, and storage.ts, functions.ts and realtime.ts follow with
 * the screens that need them (DESIGN §9: 180 kB).
 */

/** Sign-in and queries. Set by {@link connect} before anything renders. */
export let supabase: PostgrestClient<Database> & { auth: InstanceType<typeof AuthClient> }

type Server = Pick<AppConfig, 'supabaseUrl' | 'anonKey'>
let server: Server

export function connect(to: Server): void {
  server = to
  // The key's name begins `sb-` and ends `-auth-token` (AUTH-27). Refresh 90 s before expiry, a check on becoming visible,
  // and back-off are the client's own (AUTH-25, AUTH-26, AUTH-28).
  const auth = new AuthClient({
    url: doorAddress('auth'),
    // Spelled as the client spells it when it puts a person's token there: two spellings would be sent as one broken header.
    headers: { apikey: to.anonKey, Authorization: `Bearer ${to.anonKey}` },
    storageKey: sessionKey(doorAddress('auth')),
    detectSessionInUrl: true,
    experimental: { recoveryCodes: true },
  })
  supabase = Object.assign(new PostgrestClient<Database>(doorAddress('rest'), { fetch: fetchAsCaller }), { auth })
}

/** Where one of the five API families answers (GEN-12). */
export const doorAddress = (door: 'auth' | 'rest' | 'storage' | 'functions' | 'realtime'): string =>
  `${server.supabaseUrl || window.location.origin}/${door}/v1`

export const publicKey = (): string => server.anonKey

/** The session's token when there is one that opens the doors, else the public key (GEN-13). Refreshed first when it is about to end. */
export async function accessToken(): Promise<string> {
  const { data } = await supabase.auth.getSession()
  const { session } = data
  return session && !owesSecondFactor(session) ? session.access_token : server.anonKey
}

/** `fetch` with the two headers that every request carries (GEN-13). */
export const fetchAsCaller: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers)
  headers.set('apikey', server.anonKey)
  if (!headers.has('authorization')) {
    const token = await accessToken()
    headers.set('authorization', `Bearer ${token}`)
    const early = init?.method === 'GET' ? await takeEarly(String(input), token) : null
    if (early) return early
  }
  return fetch(input, { ...init, headers })
}
