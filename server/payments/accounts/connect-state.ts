import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { timingSafeEqualText } from '../../timing-safe-equal.ts'

/** Long enough to open an account at Stripe along the way. */
const lifetimeSeconds = 2 * 3600

/**
 * The `state` of an OAuth connection. It works for one user and for two hours, so that nobody can be tricked into connecting an
 * account that another user authorized (RFC 6749 §10.12). Not one of our tokens: a key derived for this purpose alone signs it.
 */
export function signConnectState(jwtSecret: string, userId: string, now = Date.now()): string {
  const expires = Math.floor(now / 1000) + lifetimeSeconds
  const body = `${expires}.${randomBytes(12).toString('base64url')}`
  return `${body}.${sign(jwtSecret, userId, body)}`
}

/** Whether we created the state for this user, and it hasn't expired. */
export function verifyConnectState(jwtSecret: string, userId: string, state: string, now = Date.now()): boolean {
  const [, expires = '', nonce = '', signature = ''] = /^(\d{1,12})\.([\w-]{16})\.([\w-]{43})$/.exec(state) ?? []
  return timingSafeEqualText(signature, sign(jwtSecret, userId, `${expires}.${nonce}`)) && Number(expires) > now / 1000
}

function sign(jwtSecret: string, userId: string, body: string): string {
  const key = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'stripe connect state', 32))
  return createHmac('sha256', key).update(`${userId}.${body}`).digest('base64url')
}
