import { useSyncExternalStore } from 'react'
import { browserStore } from '../lib/browser/browser-store.ts'
import { ownScripts } from './own-scripts.ts'

/*
 * After a release, an open page may request scripts and style sheets that no longer exist. It then reloads once. Its address, its scroll
 * position (scroll-restoration.ts), and typed text (lib/forms/draft.ts) survive that. Without a network, or if only one file is missing,
 * it stays as it is, because a reload wouldn't help.
 */

const reloads = browserStore(() => sessionStorage, 'ovation-renewal:')
const patienceMs = 5_000

let underway = false
const listeners = new Set<() => void>()

function setUnderway(next: boolean): void {
  underway = next
  for (const listener of listeners) listener()
}

/** Vite reports each file that failed to load (https://vite.dev/guide/build#load-error-handling). */
export function reloadStaleBuilds(reload = () => window.location.reload()): void {
  window.addEventListener('vite:preloadError', () => void reloadOnce(reload))
}

/** Whether the page is reloading, or may be about to: then a failed import needs no error message. */
export function useStaleBuildReload(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => underway,
  )
}

async function reloadOnce(reload: () => void): Promise<void> {
  const build = ownScripts().join(' ')
  if (underway || !build || reloads.read('from') === build || wouldLoseSomething()) return
  setUnderway(true)
  if (!(await isReplaced()) || wouldLoseSomething()) return setUnderway(false)
  reloads.write('from', build)
  // Without storage, nothing could stop a second reload.
  if (reloads.read('from') === build) reload()
  else setUnderway(false)
}

/** Whether the server's document names other files now. */
async function isReplaced(): Promise<boolean> {
  try {
    const response = await fetch('/', { cache: 'no-cache', signal: AbortSignal.timeout(patienceMs) })
    const html = await response.text()
    return response.ok && !ownScripts().every((src) => html.includes(src))
  } catch {
    return false
  }
}

/** Passwords and codes have no draft, a call would end, and an upload would be lost. */
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
