import { RealtimeClient } from '@supabase/realtime-js'
import { apiUrl, publicKey } from '../api/api-url.ts'
import { accessToken } from '../api/supabase.ts'
import { onAuthStateChange } from '../auth/auth-client.ts'

let client: RealtimeClient | undefined

/** The one websocket of this page. It follows the session: a refreshed token is sent on, signing out ends what it allowed. */
export function realtime(): RealtimeClient {
  if (client) return client
  const opened = new RealtimeClient(apiUrl('realtime').replace(/^http/, 'ws'), {
    params: { apikey: publicKey() },
    accessToken,
  })
  onAuthStateChange((_event, session) => {
    // Later, because auth holds its lock while it calls us, and the client will ask it for the token.
    setTimeout(() => void opened.setAuth(session?.access_token ?? null), 0)
  })
  client = opened
  return opened
}
