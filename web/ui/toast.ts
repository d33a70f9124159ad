import { useSyncExternalStore } from 'react'
import type { Tone } from './toaster.tsx'

type Toast = { title?: string; message: string }

type ToastState = {
  /** How many toasts there have been: the first one loads their code, however busy the screen is. */
  count: number
  /** The last toast whose code failed to load. */
  plain: Toast | undefined
}

let state: ToastState = { count: 0, plain: undefined }
const watchers = new Set<() => void>()

function update(change: Partial<ToastState>) {
  state = { ...state, ...change }
  for (const watcher of watchers) watcher()
}

/** Toasts so far, for the component that shows them (`lazy-toaster.tsx`). */
export const useToastState = (): ToastState =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => state,
  )

/** Long enough to read, short enough not to pile up (CONST-02, POST-34). */
const readingTimeMs = (message: string): number => Math.min(6_000, Math.max(4_000, message.length * 70))

async function show(toast: Toast, tone: Tone, ms = readingTimeMs(`${toast.title ?? ''} ${toast.message}`)) {
  update({ count: state.count + 1 })
  try {
    const { showToast } = await import('./toaster.tsx')
    showToast({ ...toast, tone, autoClose: ms })
  } catch {
    // The toast code is a separate file, which fails to load without a connection.
    update({ plain: toast })
    setTimeout(() => state.plain === toast && update({ plain: undefined }), ms)
  }
}

/** A short message at the edge of the screen, for 4 to 6 seconds unless `ms` is set. Not for errors that need an action. */
export const toast = {
  success: (message: string, title?: string, ms?: number) => void show({ title, message }, 'success', ms),
  /** Success that is worth a moment of delight (LOOP-27). */
  joy: (message: string, title?: string) => void show({ title, message }, 'joy'),
  error: (message: string, title?: string) => void show({ title, message }, 'failure'),
  info: (message: string, title?: string) => void show({ title, message }, 'plain'),
}
