import type { Session } from '@supabase/auth-js'

/**
 * Whether a session's second factor is pending (AUTH-19). Its token works for auth/v1 only: every other API rejects it with
 * 403 `insufficient_aal`. Until verification, the user counts as a visitor.
 */
export function owesSecondFactor({ access_token: token }: Pick<Session, 'access_token'>): boolean {
  return claimsOf(token).second_factor === 'pending'
}

// Every request checks the same token, and decoding it takes a third of a millisecond.
let known: { token: string; claims: Readonly<Record<string, unknown>> } | undefined

/** The claims of a token, not verified: the APIs do that, and this only decides what the screen shows. */
export function claimsOf(token: string): Readonly<Record<string, unknown>> {
  if (known?.token !== token) known = { token, claims: read(token) }
  return known.claims
}

function read(token: string): Readonly<Record<string, unknown>> {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(payload), (c) => c.charCodeAt(0))))
  } catch {
    return {}
  }
}
