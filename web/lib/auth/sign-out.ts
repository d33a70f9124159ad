import { onlineManager } from '@tanstack/react-query'
import { apiUrl } from '../api/api-url.ts'
import { authClient } from './auth-client.ts'
import { forgetLocalData } from './local-data.ts'
import { sessionKey } from './stored-session.ts'

/**
 * Ends the session in this browser, also while the server can't be reached: the next user of the device must not find it open. A server that
 * doesn't hear of it keeps its side of the session until it expires.
 */
export async function signOut(): Promise<void> {
  // It removes the session before its request, whose failure changes nothing here.
  if (onlineManager.isOnline()) await (await authClient()).signOut({ scope: 'local' })
  else removeSession()
  forgetLocalData()
}

/** What the client does, which would first try for half a minute to refresh an expired session. It listens to this in all tabs. */
function removeSession(): void {
  const key = sessionKey(apiUrl('auth'))
  localStorage.removeItem(key)
  const channel = new BroadcastChannel(key)
  channel.postMessage({ event: 'SIGNED_OUT', session: null })
  channel.close()
}
