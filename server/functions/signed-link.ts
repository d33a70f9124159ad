import { createHmac, hkdfSync } from 'node:crypto'
import { timingSafeEqualText } from '../timing-safe-equal.ts'

/** Long enough to press the button again, short enough that a link left in a history opens nothing. */
const lifetimeSeconds = 600

/** What a link opens; each has a key of its own, so that a link to one opens nothing else. */
export type LinkPurpose = 'data export link' | 'statement link'

/** A link to something of one person's own, signed with a key derived for this purpose alone: no token of ours opens it. */
export function signLink(jwtSecret: string, purpose: LinkPurpose, id: string, now = Date.now()): string {
  const body = `${id}.${Math.floor(now / 1000) + lifetimeSeconds}`
  return `${body}.${sign(jwtSecret, purpose, body)}`
}

/** @returns the id that was signed; undefined for a link that is forged or too old. */
export function readLink(jwtSecret: string, purpose: LinkPurpose, token: string, now = Date.now()): string | undefined {
  const [, id = '', expires = '', signature = ''] = /^([0-9a-f-]{36})\.(\d{1,12})\.([\w-]{43})$/.exec(token) ?? []
  const isGood = timingSafeEqualText(signature, sign(jwtSecret, purpose, `${id}.${expires}`))
  return isGood && Number(expires) > now / 1000 ? id : undefined
}

function sign(jwtSecret: string, purpose: LinkPurpose, body: string): string {
  const key = Buffer.from(hkdfSync('sha256', jwtSecret, '', purpose, 32))
  return createHmac('sha256', key).update(body).digest('base64url')
}
