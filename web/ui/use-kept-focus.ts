import { type FocusEvent, useEffect, useRef } from 'react'

/**
 * For the element around a list, in the component that renders its rows. When a row is removed with its focused button, the list takes the
 * focus; otherwise it would return to the top of the page. Steps of a wizard count as such rows too.
 * @param fallbackSelector a selector for the element that takes the focus instead of the whole list.
 */
export function useKeptFocus<Container extends HTMLElement = HTMLDivElement>(fallbackSelector?: string) {
  const ref = useRef<Container>(null)
  const focused = useRef<HTMLElement | null>(null)
  const left = useRef<HTMLElement | null>(null)
  useEffect(() => {
    const last = focused.current
    // A dialog keeps the focus to itself, also while its own button is busy.
    if (!last || document.activeElement !== document.body || document.querySelector('[aria-modal="true"]')) return
    // A busy button can't have the focus. Here the action failed, so the button is enabled again.
    if (last.isConnected) return void (last.matches(':disabled') || last.focus({ preventScroll: true }))
    const found = fallbackSelector && ref.current?.querySelector<HTMLElement>(fallbackSelector)
    ;(found || ref.current)?.focus({ preventScroll: true })
  })
  const noteFocus = ({ target }: FocusEvent) => {
    // A row's dialog or menu is elsewhere in the DOM: the row that opened it may be gone when it closes.
    focused.current = target instanceof HTMLElement && ref.current?.contains(target) ? target : left.current
  }
  const forget = ({ target }: FocusEvent) => {
    if (target.matches(':disabled')) return
    left.current = focused.current
    focused.current = null
  }
  return { ref, tabIndex: -1, onFocus: noteFocus, onBlur: forget }
}
