import { browserStore } from '../browser/browser-store.ts'

/**
 * Unsent input of a form, kept for this tab, so that a reload or an expired session loses nothing.
 * Passwords, codes, and card numbers are never stored: each form lists the fields it omits.
 */
export const drafts = browserStore(() => sessionStorage, 'ovation-draft:')

export function readDraft(key: string): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(drafts.read(key) ?? '{}')
    return typeof kept === 'object' && kept !== null ? { ...kept } : {}
  } catch {
    return {} // a draft of another release
  }
}

export const writeDraft = (key: string, values: Record<string, unknown>): void =>
  drafts.write(key, JSON.stringify(values))

export const forgetDraft = drafts.forget
