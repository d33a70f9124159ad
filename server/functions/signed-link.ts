import { createHmac, hkdfSync } from 'node:crypto'
import { timingSafeEqualText } from '../timing-safe-equal.ts'

/** Long enough to click the button again, short enough that a link in a browser history no longer works. */
const lifetimeSeconds = 600

/** What a link opens. Each purpose has its own key, so that a link for one can't open another. */
export type LinkPurpose = 'data export link' | 'statement link'

/** A link to a user's own data, signed with a key derived for this purpose alone; no other token works in its place. */
export function signLink(jwtSecret: string, purpose: LinkPurpose, id: string, now = Date.now()): string {
  const body = `${id}.${Math.floor(now / 1000) + lifetimeSeconds}`
  return `${body}.${sign(jwtSecret, purpose, body)}`
}

/** @returns the signed id; undefined for a forged or expired link. */
export function readLink(jwtSecret: string, purpose: LinkPurpose, token: string, now = Date.now()): string | undefined {
  const [, id = '', expires = '', signature = ''] = /^([0-9a-f-]{36})\.(\d{1,12})\.([\w-]{43})$/.exec(token) ?? []
  const isGood = timingSafeEqualText(signature, sign(jwtSecret, purpose, `${id}.${expires}`))
  return isGood && Number(expires) > now / 1000 ? id : undefined
}

function sign(jwtSecret: string, purpose: LinkPurpose, body: string): string {
  const key = Buffer.from(hkdfSync('sha256', jwtSecret, '', purpose, 32))
  return createHmac('sha256', key).update(body).digest('base64url')
}
