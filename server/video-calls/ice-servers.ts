import { createHmac } from 'node:crypto'
import type { CallSettings } from './settings.ts'

/** In the form `RTCPeerConnection` expects. */
export type IceServer = {
  readonly urls: readonly string[]
  readonly username?: string
  readonly credential?: string
}

/**
 * Returns the servers for one user's calls until the given time. With a shared secret, the password is generated and expires then
 * (draft-uberti-behave-turn-rest-00, coturn's `use-auth-secret`), so that nobody can keep relaying at the operator's expense.
 */
export function iceServers(settings: CallSettings, person: string, until: Date): IceServer[] {
  const { stunUrls, turnUrls } = settings
  const servers: IceServer[] = []
  if (stunUrls.length > 0) servers.push({ urls: stunUrls })
  if (turnUrls.length > 0) servers.push({ urls: turnUrls, ...loginFor(settings, person, until) })
  return servers
}

function loginFor({ turnSecret, turnLogin }: CallSettings, person: string, until: Date) {
  if (turnSecret === undefined) return turnLogin
  const username = `${Math.floor(until.getTime() / 1000)}:${person}`
  return { username, credential: createHmac('sha1', turnSecret).update(username).digest('base64') }
}
