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
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      centered
      fullScreen={fullScreenOnPhone && phone}
      closeOnEscape={closable}
      closeOnClickOutside={closable}
      closeButtonProps={{ 'aria-label': commonTexts.close, disabled: !closable }}
      classNames={{ content: classes.content, header: classes.header, title: classes.title }}
      radius="lg"
    >
      {children}
    </Modal>
  )
}
