import { useEffect, useRef } from 'react'
import type { Message } from '../../domain/messages/queries.ts'
import { browserStore } from '../../lib/browser/browser-store.ts'

/** Messages that this tab started to unlock. The viewer returns from the payment page to the end of the thread. */
const unlocking = browserStore(() => sessionStorage, 'ovation-unlocking:')

export const noteUnlocking = (messageId: string): void => unlocking.write(messageId, '')

/** Scrolls a message into view when a payment unlocks it, because it grows. @returns a ref for its element. */
export function useUnlockedInSight({ id, is_paid, is_locked }: Message) {
  const shown = useRef<HTMLLIElement>(null)
  const open = is_paid && !is_locked
  useEffect(() => {
    if (!open || unlocking.read(id) === null) return
    unlocking.forget(id)
    shown.current?.scrollIntoView({ block: 'nearest' })
  }, [open, id])
  return shown
}
