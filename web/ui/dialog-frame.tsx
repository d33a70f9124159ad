import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { commonTexts } from '@ovation/contract/texts/common'
import { type ReactNode, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import classes from './dialog-frame.module.css'

export type DialogProps = {
  title: string
  onClose: () => void
  children: ReactNode
  size?: 'sm' | 'md' | 'lg' | 'xl'
  /** False while closing would lose work in progress: Escape, the backdrop, and the close button do nothing. */
  closable?: boolean
  /** On a phone, the dialog fills the screen. */
  fullScreenOnPhone?: boolean
}

export default function DialogFrame({
  title,
  onClose,
  children,
  size = 'md',
  closable = true,
  fullScreenOnPhone,
}: DialogProps) {
  useFocusReturn()
  const onTop = useOnTop()
  const phone = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false })
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={size}
      centered
      fullScreen={fullScreenOnPhone && phone}
      closeOnEscape={closable && onTop}
      closeOnClickOutside={closable}
      classNames={{ content: classes.content, header: classes.header, title: classes.title, body: classes.body }}
      radius="lg"
    >
      {/* One overlay, below the top dialog: two would make the page nearly black. */}
      {onTop && <Modal.Overlay />}
      <Modal.Content radius="lg">
        {/* A `header` directly in the body would be the page's banner, and the page has one already. */}
        <Modal.Header role="presentation">
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label={commonTexts.close} disabled={!closable} />
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

// All open dialogs, numbered in the order they opened. The last one is on top.
const open = new Set<number>()
const listeners = new Set<() => void>()
let count = 0

/** Whether this dialog is on top. Every Mantine dialog hears Escape, but only the top one may close. */
function useOnTop(): boolean {
  const [number] = useState(() => ++count)
  // Before paint, so that the overlay moves without a flicker.
  useLayoutEffect(() => {
    const change = (set: () => void) => {
      set()
      for (const listener of listeners) listener()
    }
    change(() => open.add(number))
    return () => change(() => open.delete(number))
  }, [number])
  return useSyncExternalStore(listen, () => number === Math.max(number, ...open))
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Returns the focus to the opener on closing. Mantine does so only for a dialog that stays mounted while closed. */
function useFocusReturn(): void {
  const [opener] = useState(openerOfDialog)
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    },
    [opener],
  )
}

/** The focused element. A menu item disappears with its menu, so this is the menu's button instead. */
function openerOfDialog(): Element | null {
  const focused = document.activeElement
  const button = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return button ? document.getElementById(button) : focused
}
