import { useSyncExternalStore } from 'react'

let wanted = false
const watchers = new Set<() => void>()

/** Whether anything has been said yet: then the stack of toasts is needed, however busy the screen is. */
export const useToastWanted = (): boolean =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => wanted,
  )

/** Long enough to read, short enough not to pile up (CONST-02, POST-34). */
const readingTimeMs = (message: string): number => Math.min(6_000, Math.max(4_000, message.length * 70))

type Toast = { title?: string; message: string }

async function show(toast: Toast, tone: 'success' | 'failure' | 'plain', icon: 'check' | 'alert' | 'info') {
  wanted = true
  for (const watcher of watchers) watcher()
  const { showToast } = await import('./toaster.tsx')
  showToast({ ...toast, tone, icon, autoClose: readingTimeMs(`${toast.title ?? ''} ${toast.message}`) })
}

/** A short message at the edge of the screen, for 4 to 6 seconds. Errors that need an answer do not belong here. */
export const toast = {
  success: (message: string, title?: string) => void show({ title, message }, 'success', 'check'),
  error: (message: string, title?: string) => void show({ title, message }, 'failure', 'alert'),
  info: (message: string, title?: string) => void show({ title, message }, 'plain', 'info'),
}
