import { Alert } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'

/** A form that is longer than the window is refused below its edge. */
const bringIntoSight = (alert: HTMLElement | null) => alert?.scrollIntoView({ block: 'nearest' })

/** Why a form was refused as a whole. It stays until the next attempt, unlike a toast, and is announced. */
export function FormFailure({ title, message }: { title?: string; message: string | undefined }) {
  if (!message) return null
  return (
    <Alert
      role="alert"
      ref={bringIntoSight}
      color="crimson"
      variant="light"
      title={title}
      icon={<IconAlertCircle size={20} stroke={1.75} />}
      mb="md"
    >
      {message}
    </Alert>
  )
}
