import { type FocusEvent, useEffect, useRef } from 'react'

/**
 * For the element around a list, in the component that draws its rows. A row that has been dealt with goes, and with it the button that
 * had the focus: the list takes it, or it would be at the page's top. Steps that take each other's place are such rows as well.
 * @param taker a selector: what within the element takes the focus, where the whole of it would say nothing.
 */
export function useKeptFocus(taker?: string) {
  const ref = useRef<HTMLDivElement>(null)
  const focused = useRef<Element | null>(null)
  useEffect(() => {
    const isLost = focused.current?.isConnected === false && document.activeElement === document.body
    if (!isLost) return
    const found = taker && ref.current?.querySelector<HTMLElement>(taker)
    ;(found || ref.current)?.focus({ preventScroll: true })
  })
  const noteFocus = ({ target }: FocusEvent) => {
    // A menu of a row is elsewhere on the page, and returns the focus itself.
    focused.current = ref.current?.contains(target) ? target : null
  }
  const forget = () => {
    focused.current = null
  }
  return { ref, tabIndex: -1, onFocus: noteFocus, onBlur: forget }
}
