import { paths } from '@ovation/contract/paths'
import { feedRequest } from '../domain/posts/feed-request.ts'
import { loadConfig } from '../lib/api/config.ts'
import { sendEarly } from '../lib/api/early-requests.ts'
import { owesSecondFactor } from '../lib/auth/second-factor.ts'
import { storedSession } from '../lib/auth/stored-session.ts'
import { viewerColumns } from '../lib/auth/viewer-columns.ts'

/*
 * A separate file of two kilobytes that the document runs while the rest of the app is still loading. It requests the viewer
 * and, on the home screen, their feed. On a phone, the responses arrive with the app's code, which would only request them then.
 */

/** Sends the first requests of the screen at `path`. */
export async function askEarly(path: string): Promise<void> {
  const { supabaseUrl, anonKey } = await loadConfig()
  const gateway = supabaseUrl || window.location.origin
  const session = storedSession(gateway)
  if (!session || owesSecondFactor(session)) return
  const ask = (relation: string, parameters: Record<string, string | number>) => {
    const query = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]))
    sendEarly(`${gateway}/rest/v1/${relation}?${query}`, session.access_token, anonKey)
  }
  const select = (columns: string) => columns.replaceAll(/\s/g, '')
  ask('profiles', { select: select(viewerColumns), user_id: `eq.${session.user.id}` })
  if (path === paths.home) ask(`rpc/${feedRequest.rpc}`, { ...feedRequest.args, select: select(feedRequest.columns) })
}

// The app requests the settings too, and reports a failure.
askEarly(window.location.pathname).catch(() => undefined)
