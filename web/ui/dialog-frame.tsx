import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { commonTexts } from '@ovation/contract/texts/common'
import { createContext, useContext, useEffect, useState } from 'react'
import type { DialogProps } from './dialog.tsx'
import classes from './dialog-frame.module.css'

/** Tells the dialog around this one whether it is covered. */
const Cover = createContext<(covered: boolean) => void>(() => undefined)

export default function DialogFrame({
  title,
  onClose,
  children,
  size = 'md',
  closable = true,
  fullScreenOnPhone,
}: DialogProps) {
  useFocusReturn()
  const covered = useCovered()
  const phone = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false })
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={size}
      centered
      fullScreen={fullScreenOnPhone && phone}
      closeOnEscape={closable && !covered.byAnother}
      closeOnClickOutside={closable}
      classNames={{ content: classes.content, header: classes.header, title: classes.title }}
      radius="lg"
    >
      <Modal.Overlay />
      <Modal.Content radius="lg">
        {/* A `header` right below the body is the page's banner, and there is one already. */}
        <Modal.Header role="presentation">
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label={commonTexts.close} disabled={!closable} />
        </Modal.Header>
        <Modal.Body>
          <Cover value={covered.set}>{children}</Cover>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/** Mantine's dialogs all hear Escape. It closes the one on top, and not what lies below it as well. */
function useCovered() {
  const [byAnother, set] = useState(false)
  const cover = useContext(Cover)
  useEffect(() => {
    cover(true)
    return () => cover(false)
  }, [cover])
  return { byAnother, set }
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
