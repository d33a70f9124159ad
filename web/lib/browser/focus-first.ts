/** The first link or button within it, as Tab would come to it, has the focus then. What is on the screen stays where it is. */
export function focusFirst(element: Element | null | undefined): void {
  element?.querySelector<HTMLElement>('a:not([tabindex="-1"]), button:enabled')?.focus({ preventScroll: true })
}
