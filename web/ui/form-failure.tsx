import { Alert } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'

/** Scrolls into view: in a long form it would be out of sight. */
const scrollToAlert = (alert: HTMLElement | null) => alert?.scrollIntoView({ block: 'nearest' })

/** Why the server rejected the form. Unlike a toast, it stays until the next attempt. Announced. */
export function FormFailure({ title, message }: { title?: string; message: string | undefined }) {
  if (!message) return null
  return (
    <Alert
      role="alert"
      ref={scrollToAlert}
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
