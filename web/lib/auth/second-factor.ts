import type { Session } from '@supabase/auth-js'

/**
 * Whether a session still owes its second factor (AUTH-19). Such a token opens auth/v1 alone: every other door refuses it with
 * 403 `insufficient_aal`. Until it is shown, the person counts as a visitor.
 */
export function owesSecondFactor({ access_token: token }: Pick<Session, 'access_token'>): boolean {
  return claimsOf(token).second_factor === 'pending'
}

// Each request asks it of the same token, and reading one takes a third of a millisecond.
let known: { token: string; claims: Readonly<Record<string, unknown>> } | undefined

/** What a token says. Nothing is verified here: the doors do that, and this only decides what is shown. */
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
