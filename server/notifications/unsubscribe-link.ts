import { createHmac, hkdfSync } from 'node:crypto'
import { timingSafeEqualText } from '../timing-safe-equal.ts'

/**
 * Proves, without signing in, that the user received the email: the profile's id, signed with a key derived for this purpose alone.
 * It doesn't expire: an email may be read years later, and the link can only turn emails off.
 */
export function signUnsubscribe(jwtSecret: string, profileId: string): string {
  return `${profileId}.${sign(jwtSecret, profileId)}`
}

/** @returns profiles.id; undefined for a forged or truncated token. */
export function readUnsubscribe(jwtSecret: string, token: unknown): string | undefined {
  const [, profileId = '', signature = ''] = /^([0-9a-f-]{36})\.([\w-]{43})$/.exec(String(token)) ?? []
  return timingSafeEqualText(signature, sign(jwtSecret, profileId)) ? profileId : undefined
}

function sign(jwtSecret: string, profileId: string): string {
  const key = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'unsubscribe link', 32))
  return createHmac('sha256', key).update(profileId).digest('base64url')
}
