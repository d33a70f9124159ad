import { useSyncExternalStore } from 'react'
import { browserStore } from '../lib/browser-store.ts'

/*
 * A page that stays open over a release asks for scripts and style sheets that are gone. It is loaded anew then, once: its address, how far
 * it was scrolled (scroll-place.ts) and what was typed (lib/draft.ts) outlast that. Without a network, or when only a file is missing, it is
 * left as it is: a reload would help nobody.
 */

const renewals = browserStore(() => sessionStorage, 'ovation-renewal:')
const patienceMs = 5_000

let underway = false
const listeners = new Set<() => void>()

function setUnderway(next: boolean): void {
  underway = next
  for (const listener of listeners) listener()
}

/** Vite tells of each file that could not be loaded (https://vite.dev/guide/build#load-error-handling). */
export function followReleases(reload = () => window.location.reload()): void {
  window.addEventListener('vite:preloadError', () => void renew(reload))
}

/** Whether the page is being loaded anew, or may be: what failed for want of a file is not worth a word. */
export function useRenewal(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => underway,
  )
}

async function renew(reload: () => void): Promise<void> {
  const build = ownScripts().join(' ')
  if (underway || !build || renewals.read('from') === build || wouldLoseSomething()) return
  setUnderway(true)
  if (!(await isReplaced()) || wouldLoseSomething()) return setUnderway(false)
  renewals.write('from', build)
  // Where nothing can be kept, nobody would know that it has been tried.
  if (renewals.read('from') === build) reload()
  else setUnderway(false)
}

/** The built files that the document itself names. */
const ownScripts = (): string[] =>
  [...document.scripts].map((script) => script.getAttribute('src') ?? '').filter((src) => src.startsWith('/assets/'))

/** Whether the server's document names other files by now. */
async function isReplaced(): Promise<boolean> {
  try {
    const response = await fetch('/', { cache: 'no-cache', signal: AbortSignal.timeout(patienceMs) })
    const html = await response.text()
    return response.ok && !ownScripts().every((src) => html.includes(src))
  } catch {
    return false
  }
}

/** Passwords and codes are kept nowhere, a call would end, and what is being sent would not arrive. */
function wouldLoseSomething(): boolean {
  const secrets = 'input[type=password], .mantine-PasswordInput-innerInput, input[autocomplete="one-time-code"]'
  const leaving = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(leaving)
  return (
    leaving.defaultPrevented ||
    [...document.querySelectorAll<HTMLInputElement>(secrets)].some(({ value }) => value !== '') ||
    [...document.querySelectorAll('video')].some(({ srcObject }) => srcObject)
  )
}
