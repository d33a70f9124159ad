import type { KeyboardEvent } from 'react'

/** How long after a letter the next one still belongs to it (CONST-03). Mantine's own way with letters knows half of it. */
const typeAheadResetMs = 1_000

let typed = { menu: undefined as Element | undefined, text: '', at: 0 }

/**
 * Letters lead to the entry of an open menu that begins with them; one letter again and again goes round those that share it. Stands in
 * the theme, for every menu: only one has the keyboard at a time, so what was typed is kept in one place.
 */
export function typeAhead(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget: menu, target } = event
  if (key.length !== 1 || key === ' ' || event.ctrlKey || event.metaKey || event.altKey) return
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return
  event.preventDefault() // Mantine leaves alone what has been dealt with
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
