import { Button, Group, Text } from '@mantine/core'
import { commonTexts } from '@ovation/contract/texts/common'
import type { ReactNode } from 'react'
import { destructive } from './destructive.ts'
import { Dialog } from './dialog.tsx'

type Props = {
  title: string
  message: string
  /** The action's verb, never "OK". */
  confirmLabel: string
  /** Set this when the action itself is a cancellation, where "Cancel" would be ambiguous. */
  keepLabel?: string
  /** Set this for an action that destroys nothing, such as a payment: its button is the primary one. */
  primary?: boolean
  onConfirm: () => void
  onClose: () => void
  pending?: boolean
  /** Another choice, below the message. */
  children?: ReactNode
}

/** Asks before an action, usually a destructive one. Cancel has the focus, so that Enter destroys nothing by accident. */
export function ConfirmDialog({
  title,
  message,
  confirmLabel,
  keepLabel = commonTexts.cancel,
  primary = false,
  onConfirm,
  onClose,
  pending = false,
  children,
}: Props) {
  return (
    <Dialog title={title} onClose={onClose} size="sm" closable={!pending}>
      <Text>{message}</Text>
      {children}
      <Group justify="flex-end" gap="xs" mt="xl">
        <Button variant="default" onClick={onClose} disabled={pending} data-autofocus>
          {keepLabel}
        </Button>
        <Button {...(!primary && destructive)} onClick={onConfirm} loading={pending}>
          {confirmLabel}
        </Button>
      </Group>
    </Dialog>
  )
}
