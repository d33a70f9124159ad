import { errors } from './errors.ts'

/** Bearer or Basic (the key as user name), as Stripe takes it; any test key opens the sandbox. */
export function requireTestKey(authorization: string | undefined): void {
  const key = keyOf(authorization)
  if (!key) throw errors.noKey()
  if (/^(sk|rk)_live_/.test(key)) throw errors.liveKey()
  if (!/^(sk|rk)_test_\w+$/.test(key)) throw errors.badKey(masked(key))
}

function keyOf(authorization = ''): string | undefined {
  const [scheme = '', value = ''] = authorization.trim().split(/\s+/, 2)
  if (/^bearer$/i.test(scheme)) return value
  if (/^basic$/i.test(scheme)) return Buffer.from(value, 'base64').toString().split(':')[0]
  return undefined
}

/** A key is never repeated whole, not even a wrong one. */
const masked = (key: string) => `${key.slice(0, 3)}${'*'.repeat(8)}`
