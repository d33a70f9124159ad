import { IconGripVertical } from '@tabler/icons-react'
import type { KeyboardEvent, PointerEvent } from 'react'
import { hasModifier } from './has-modifier.ts'
import classes from './move-handle.module.css'

type Props = {
  /** With the item's name and place. */
  label: string
  /** Zero-based. */
  position: number
  disabled: boolean
  onMove: (to: number) => void
}

/** Moves an item of a list with `data-move-list`: by dragging, or at once with the arrow keys. */
export function MoveHandle({ label, position, disabled, onMove }: Props) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key]
    if (step === undefined || hasModifier(event)) return
    event.preventDefault()
    onMove(position + step)
  }
  const onPointerMove = (event: PointerEvent<HTMLButtonElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const rows = [...(event.currentTarget.closest('[data-move-list]')?.children ?? [])]
    const to = rows.findIndex((row) => {
      const { top, bottom } = row.getBoundingClientRect()
      return event.clientY >= top && event.clientY <= bottom
    })
    if (to !== -1 && to !== position) onMove(to)
  }
  return (
    <button
      type="button"
      className={classes.handle}
      aria-label={label}
      disabled={disabled}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
    >
      <IconGripVertical size={18} stroke={1.6} aria-hidden="true" />
    </button>
  )
}
