import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { commonTexts } from '@ovation/contract/texts/common'
import type { DialogProps } from './dialog.tsx'
import classes from './dialog-frame.module.css'

export default function DialogFrame({
  title,
  onClose,
  children,
  size = 'md',
  closable = true,
  fullScreenOnPhone,
}: DialogProps) {
  const phone = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false })
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={size}
      centered
      fullScreen={fullScreenOnPhone && phone}
      closeOnEscape={closable}
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
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
