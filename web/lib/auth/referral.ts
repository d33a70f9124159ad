import { referralParameter } from '@ovation/contract/routes'

const storageKey = 'ovation-referral'

/**
 * Keeps the code of `/auth?ref=` or `/?ref=` until the person signs up (AUTH-02). A later link replaces an earlier one. It leaves the
 * address: a reload after signing up would keep it again, for whoever signs up next.
 */
export function rememberReferral(url: URL): void {
  const code = url.searchParams.get(referralParameter)?.trim()
  if (!code) return
  try {
    localStorage.setItem(storageKey, code)
    url.searchParams.delete(referralParameter)
    history.replaceState(history.state, '', url)
  } catch {
    // Storage may be blocked: the code is then lost, as a cookie would be, and sign-up still works.
  }
}

export function rememberedReferral(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}

export function forgetReferral(): void {
  try {
    localStorage.removeItem(storageKey)
  } catch {
    // Blocked storage holds nothing to forget.
  }
}

/** A person's one code (REF-14, D30); the database makes the same of the profile's id. */
export const referralCode = (profileId: string): string => `REF${profileId.slice(0, 8).toUpperCase()}`
