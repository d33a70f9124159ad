import { commonTexts } from '@ovation/contract/texts/common'
import { useSyncExternalStore } from 'react'
import type { ToastAction, Tone } from './toaster.tsx'

type Toast = { title?: string; message: string; action?: ToastAction }

type ToastState = {
  /** How many toasts there have been: the first one loads their code, however busy the screen is. */
  count: number
  /** The last toast whose code failed to load. */
  plain: Toast | undefined
  /** What screen readers hear although the screen shows no toast. */
  said: string
}

let state: ToastState = { count: 0, plain: undefined, said: '' }
const watchers = new Set<() => void>()

/** The screen in view, and the code that shows toasts once it has loaded. */
let screen = 0
let toaster: typeof import('./toaster.tsx') | undefined

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
    () => state,
  )

/** Long enough to read, short enough not to pile up (CONST-02, POST-34). Failures get the whole time: nobody expects them. */
const readingTimeMs = (words: string, tone: Tone): number =>
  tone === 'failure' ? 6_000 : Math.min(6_000, Math.max(4_000, words.length * 70))

/** Long enough to notice a mistake, and to reach the button. */
const undoTimeMs = 8_000

type How = { ms?: number | undefined; outlivesScreen?: boolean }

async function show(toast: Toast, tone: Tone, { ms, outlivesScreen = false }: How = {}) {
  const shownOn = screen
  const autoClose = ms ?? readingTimeMs(`${toast.title ?? ''} ${toast.message}`, tone)
  update({ count: state.count + 1 })
  try {
    toaster = await import('./toaster.tsx')
    if (shownOn === screen || outlivesScreen) toaster.showToast({ ...toast, tone, autoClose, outlivesScreen })
  } catch {
    // The toast code is a separate file, which fails to load without a connection.
    update({ plain: toast })
    setTimeout(() => state.plain === toast && update({ plain: undefined }), autoClose)
  }
}

/**
 * A short message at the edge of the screen, for 4 to 6 seconds, or 8 with Undo. It disappears with its screen (LOOP-18).
 * Not for errors that need an action, and not for what the screen shows anyway: see `announce`.
 */
export const toast = {
  success: (message: string, title?: string, ms?: number) => void show({ title, message }, 'success', { ms }),
  /** The result of an action that itself leads to another screen: it stays through that navigation. */
  leaving: (message: string, title?: string) => void show({ title, message }, 'success', { outlivesScreen: true }),
  /** Success that is worth a moment of delight (LOOP-27). */
  joy: (message: string, title?: string) => void show({ title, message }, 'joy'),
  error: (message: string, title?: string) => void show({ title, message }, 'failure'),
  info: (message: string, title?: string) => void show({ title, message }, 'plain'),
  /** What was just done, with a button that takes it back. */
  undo: (message: string, onUndo: () => void, { outlivesScreen = false } = {}) =>
    void show({ message, action: { label: commonTexts.undo, onPress: onUndo } }, 'plain', {
      ms: undoTimeMs,
      outlivesScreen,
    }),
}

/** Tells screen readers what everyone else sees on the screen: a switch that is on, a row that is gone (LOOP-18). */
export function announce(message: string): void {
  // The same words again are a change only with a different text: the space isn't read.
  update({ said: state.said === message ? `${message} ` : message })
}

/** Closes the toasts of the screen that the user leaves. */
export function leaveScreen(): void {
  screen += 1
  toaster?.closeToasts()
  if (state.plain || state.said) update({ plain: undefined, said: '' })
}
