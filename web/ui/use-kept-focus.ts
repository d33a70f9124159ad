import { type FocusEvent, useEffect, useRef } from 'react'

/**
 * For the element around a list, in the component that draws its rows. A row that has been dealt with goes, and with it the button that
 * had the focus: the list takes it, or it would be at the page's top. Steps that take each other's place are such rows as well.
 * @param taker a selector: what within the element takes the focus, where the whole of it would say nothing.
 */
export function useKeptFocus<Around extends HTMLElement = HTMLDivElement>(taker?: string) {
  const ref = useRef<Around>(null)
  const focused = useRef<HTMLElement | null>(null)
  const left = useRef<HTMLElement | null>(null)
  useEffect(() => {
    const last = focused.current
    // A dialog keeps the focus to itself, also while its own button waits.
    if (!last || document.activeElement !== document.body || document.querySelector('[aria-modal="true"]')) return
    // A button that waits for its answer can not have the focus. It did not come to anything: it can be pressed again.
    if (last.isConnected) return void (last.matches(':disabled') || last.focus({ preventScroll: true }))
    const found = taker && ref.current?.querySelector<HTMLElement>(taker)
    ;(found || ref.current)?.focus({ preventScroll: true })
  })
  const noteFocus = ({ target }: FocusEvent) => {
    // A dialog or a menu of a row is elsewhere on the page: the row that it was opened from may be gone when it closes.
    focused.current = target instanceof HTMLElement && ref.current?.contains(target) ? target : left.current
  }
  const forget = ({ target }: FocusEvent) => {
    if (target.matches(':disabled')) return
    left.current = focused.current
    focused.current = null
  }
  return { ref, tabIndex: -1, onFocus: noteFocus, onBlur: forget }
}
