import type { EnvironmentReader } from '../environment-reader.ts'

export type CallSettings = ReturnType<typeof readCallSettings>

/** The operator's STUN and TURN servers (RFC 7064, RFC 7065), through which two browsers connect for a private session. */
export function readCallSettings(read: EnvironmentReader) {
  const stunUrls = read.list('STUN_URLS', [])
  const turnUrls = read.list('TURN_URLS', [])
  const turnSecret = read.secret('TURN_SECRET', 8)
  const turnUsername = read.optional('TURN_USERNAME')
  const turnPassword = read.optional('TURN_PASSWORD')
  const isStatic = turnUsername !== undefined && turnPassword !== undefined
  read.require(
    stunUrls.every((url) => /^stuns?:[^\s]+$/.test(url)),
    'STUN_URLS must be a list of URLs that begin with stun: or stuns:',
  )
  read.require(
    turnUrls.every((url) => /^turns?:[^\s]+$/.test(url)),
    'TURN_URLS must be a list of URLs that begin with turn: or turns:',
  )
  read.require(
    turnUrls.length === 0 || turnSecret || isStatic,
    'TURN_SECRET, or TURN_USERNAME and TURN_PASSWORD, is needed when TURN_URLS is set',
  )
  return {
    stunUrls,
    turnUrls,
    /** coturn's `static-auth-secret`: each call gets its own password. If undefined, all calls share one username and password. */
    turnSecret,
    turnLogin: isStatic ? { username: turnUsername, credential: turnPassword } : undefined,
  }
}
