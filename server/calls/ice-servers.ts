import { createHmac } from 'node:crypto'
import type { CallSettings } from './settings.ts'

/** As `RTCPeerConnection` takes them. */
export type IceServer = {
  readonly urls: readonly string[]
  readonly username?: string
  readonly credential?: string
}

/**
 * The servers for one person's calls until a moment. With a shared secret the password is made for it and ends with it
 * (draft-uberti-behave-turn-rest-00, which coturn calls `use-auth-secret`), so that nobody keeps relaying on the operator's bill.
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
