import type { Database } from '@ovation/contract/database'
import { PostgrestClient } from '@supabase/postgrest-js'
import { currentSession, renewRejected, startAuth } from '../auth/auth-client.ts'
import { owesSecondFactor } from '../auth/second-factor.ts'
import { apiUrl, publicKey } from './api-url.ts'
import { takeEarly } from './early-requests.ts'
import { keepaliveFetch } from './keepalive-fetch.ts'

/*
 * The parts of @supabase/supabase-js, combined as in its `createClient`. `createClient` itself would load all five
 * before the first screen. Here queries come first, auth-client.ts when the screen is idle, and storage.ts, functions.ts, and
 * realtime.ts with the screens that need them, because the first screen's code may have at most 180 kB.
 */

/** Queries. Set by {@link connect} before anything renders. */
export let supabase: PostgrestClient<Database>

/** Sets up the API clients from the settings (config.ts). */
export function connect(): void {
  startAuth()
  supabase = new PostgrestClient<Database>(apiUrl('rest'), { fetch: fetchAsCaller })
}

/** The session's token if it grants access, else the public key (GEN-13). Refreshed first when it is about to expire. */
export async function accessToken(): Promise<string> {
  const session = await currentSession()
  return session && !owesSecondFactor(session) ? session.access_token : publicKey()
}

/** `fetch` with the two headers that every request carries (GEN-13). */
export const fetchAsCaller: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers)
  headers.set('apikey', publicKey())
  let token: string | undefined
  if (!headers.has('authorization')) {
    token = await accessToken()
    headers.set('authorization', `Bearer ${token}`)
    const early = init?.method === 'GET' ? await takeEarly(String(input), token) : null
    if (early) return early
  }
  const response = await keepaliveFetch(input, { ...init, headers })
  if (response.status === 401 && token !== undefined && token !== publicKey()) renewRejected(token)
  return response
}
