import { referralParameter } from '@ovation/contract/paths'

const storageKey = 'ovation-referral'

/**
 * Stores the code of `/auth?ref=` or `/?ref=` until sign-up (AUTH-02). A later link replaces an earlier one. Removes the code from the
 * URL: a reload after sign-up would store it again for the next user who signs up.
 */
export function rememberReferral(url: URL): void {
  const code = url.searchParams.get(referralParameter)?.trim()
  if (!code) return
  try {
    localStorage.setItem(storageKey, code)
    url.searchParams.delete(referralParameter)
    history.replaceState(history.state, '', url)
  } catch {
    // If storage is blocked, the code is lost, as a cookie would be, and sign-up still works.
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
    // Blocked storage has nothing to delete.
  }
}

/** A user's referral code (REF-14, D30); the database derives the same from the profile's id. */
export const referralCode = (profileId: string): string => `REF${profileId.slice(0, 8).toUpperCase()}`
