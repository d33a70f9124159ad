/*
 * What has been typed and not been sent, kept for this tab, so that a reload or an expired session loses nothing.
 * Passwords, codes and card numbers are never among it: each form says what it leaves out.
 */
const prefix = 'ovation-draft:'

export function readDraft(key: string): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(prefix + key) ?? '{}')
    return typeof kept === 'object' && kept !== null ? { ...kept } : {}
  } catch {
    return {} // blocked storage, or a draft of another release
  }
}

export function writeDraft(key: string, values: Record<string, unknown>): void {
  try {
    sessionStorage.setItem(prefix + key, JSON.stringify(values))
  } catch {
    // Storage may be blocked or full: the form works without.
  }
}

/** Whoever signs out leaves nothing behind for the next person at this browser. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
  } catch {
    // Blocked storage holds nothing to forget.
  }
}

export function forgetDraft(key: string): void {
  try {
    sessionStorage.removeItem(prefix + key)
  } catch {
    // Blocked storage holds nothing to forget.
  }
}
