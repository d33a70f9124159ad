import { browserStore } from '../browser/browser-store.ts'

/**
 * Unsent input of a form, kept in this browser, so that a reload or an expired session loses nothing.
 * Passwords, codes, and card numbers are never stored: each form lists the fields it omits.
 */
const tab = browserStore(() => sessionStorage, 'ovation-draft:')
/** Drafts that outlive the tab: a post is written over days. */
const device = browserStore(() => localStorage, 'ovation-draft:')

export type DraftPlace = 'tab' | 'device'
const stores = { tab, device }

/** All of them, for sign-in and sign-out. */
export const drafts = {
  claim: (userId: string): void => {
    tab.claim(userId)
    device.claim(userId)
  },
  forgetAll: (): void => {
    tab.forgetAll()
    device.forgetAll()
  },
}

export function readDraft(key: string, place: DraftPlace = 'tab'): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(stores[place].read(key) ?? '{}')
    return typeof kept === 'object' && kept !== null ? { ...kept } : {}
  } catch {
    return {} // a draft of another release
  }
}

export const writeDraft = (key: string, values: Record<string, unknown>, place: DraftPlace = 'tab'): void =>
  stores[place].write(key, JSON.stringify(values))

export const forgetDraft = (key: string, place: DraftPlace = 'tab'): void => stores[place].forget(key)
