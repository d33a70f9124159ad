/** Focuses the first link or button in tab order, without scrolling. */
export function focusFirst(element: Element | null | undefined): void {
  element?.querySelector<HTMLElement>('a:not([tabindex="-1"]), button:enabled')?.focus({ preventScroll: true })
}
