import { RealtimeClient } from '@supabase/realtime-js'
import { apiUrl, publicKey } from '../api/api-url.ts'
import { accessToken } from '../api/supabase.ts'
import { onAuthStateChange } from '../auth/auth-client.ts'

let client: RealtimeClient | undefined

/** This page's only websocket. It follows the session: it sends refreshed tokens, and signing out ends its permissions. */
export function realtime(): RealtimeClient {
  if (client) return client
  const opened = new RealtimeClient(apiUrl('realtime').replace(/^http/, 'ws'), {
    params: { apikey: publicKey() },
    accessToken,
  })
  onAuthStateChange((_event, session) => {
    // Deferred, because auth holds its lock during the call, and the client will ask it for the token.
    setTimeout(() => void opened.setAuth(session?.access_token ?? null), 0)
  })
  client = opened
  return opened
}
