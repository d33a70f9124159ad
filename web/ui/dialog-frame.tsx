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
  /** False while work runs that closing would lose: Escape, the backdrop and the cross do nothing. */
  closable?: boolean
  /** A phone gives the dialog the whole screen. */
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
      {/* One shade, below the dialog on top: two would make the page nearly black. */}
      {onTop && <Modal.Overlay />}
      <Modal.Content radius="lg">
        {/* A `header` right below the body is the page's banner, and there is one already. */}
        <Modal.Header role="presentation">
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label={commonTexts.close} disabled={!closable} />
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

// The dialogs that are open, whichever part of the page opened them, numbered as they came: the last one lies on top.
const open = new Set<number>()
const listeners = new Set<() => void>()
let count = 0

/** Whether no other dialog lies on this one. Mantine's all hear Escape: it closes the one on top. */
function useOnTop(): boolean {
  const [number] = useState(() => ++count)
  // Before anything is drawn: the shade changes places unseen.
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

/** Closing leads back to what opened the dialog. Mantine does so only for one that is on the page while it is closed. */
function useFocusReturn(): void {
  const [opener] = useState(openerOfDialog)
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
    },
    [opener],
  )
}

/** What has the focus. An entry of a menu goes with its menu: then the menu's button. */
function openerOfDialog(): Element | null {
  const focused = document.activeElement
  const button = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return button ? document.getElementById(button) : focused
}
