import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { timingSafeEqualText } from '../../timing-safe-equal.ts'

/** Long enough to open an account at Stripe on the way. */
const lifetimeSeconds = 2 * 3600

/**
 * The `state` of an OAuth connection: made for one person and good for two hours, so that nobody can be led to connect an
 * account that another person authorised (RFC 6749 §10.12). No token of ours: a key derived for this purpose alone signs it.
 */
export function signConnectState(jwtSecret: string, userId: string, now = Date.now()): string {
  const expires = Math.floor(now / 1000) + lifetimeSeconds
  const body = `${expires}.${randomBytes(12).toString('base64url')}`
  return `${body}.${sign(jwtSecret, userId, body)}`
}

/** Whether the state was made by us, for this person, and is still good. */
export function verifyConnectState(jwtSecret: string, userId: string, state: string, now = Date.now()): boolean {
  const [, expires = '', nonce = '', signature = ''] = /^(\d{1,12})\.([\w-]{16})\.([\w-]{43})$/.exec(state) ?? []
  return timingSafeEqualText(signature, sign(jwtSecret, userId, `${expires}.${nonce}`)) && Number(expires) > now / 1000
}

function sign(jwtSecret: string, userId: string, body: string): string {
  const key = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'stripe connect state', 32))
  return createHmac('sha256', key).update(`${userId}.${body}`).digest('base64url')
}
