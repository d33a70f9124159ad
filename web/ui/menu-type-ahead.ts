import type { KeyboardEvent } from 'react'

/** Keys typed within this time form one search (CONST-03). Mantine's type-ahead does only half of this. */
const typeAheadResetMs = 1_000

let typed = { menu: undefined as Element | undefined, text: '', at: 0 }

/**
 * Type-ahead for open menus: typing moves to the item that begins with the text, and repeating one key cycles through its items. One
 * instance in the theme serves all menus, because only one has the focus at a time.
 */
export function typeAhead(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget: menu, target } = event
  if (key.length !== 1 || key === ' ' || event.ctrlKey || event.metaKey || event.altKey) return
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return
  event.preventDefault() // Mantine ignores events that were handled
  const now = Date.now()
  const continues = typed.menu === menu && now - typed.at < typeAheadResetMs
  const text = (continues ? typed.text : '') + key.toLowerCase()
  typed = { menu, text, at: now }
  const entries = [...menu.querySelectorAll<HTMLElement>('[data-menu-item]:not([data-disabled])')]
  const isRepeated = [...text].every((letter) => letter === text[0])
  const wanted = isRepeated ? text.slice(0, 1) : text
  const after = isRepeated ? entries.indexOf(document.activeElement as HTMLElement) + 1 : 0
  const inOrder = [...entries.slice(after), ...entries.slice(0, after)]
  inOrder.find((entry) => entry.textContent.trim().toLowerCase().startsWith(wanted))?.focus()
}
