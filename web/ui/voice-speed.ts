import { useSyncExternalStore } from 'react'
import { browserStore } from '../lib/browser/browser-store.ts'

const speeds: readonly number[] = [1, 1.5, 2]
const store = browserStore(() => sessionStorage, 'voice-speed')
const watchers = new Set<() => void>()

let current: number | undefined
function speedNow(): number {
  current ??= speeds.find((speed) => String(speed) === store.read('')) ?? 1
  return current
}

/** How fast voice messages play, all of them, until the tab is closed (INBOX-05). */
export function useVoiceSpeed(): [speed: number, next: () => void] {
  const speed = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    speedNow,
    () => 1,
  )
  const next = () => {
    current = speeds[(speeds.indexOf(speedNow()) + 1) % speeds.length] ?? 1
    store.write('', String(current))
    for (const watcher of watchers) watcher()
  }
  return [speed, next]
}
