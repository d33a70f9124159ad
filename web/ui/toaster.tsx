import { Notifications, notifications } from '@mantine/notifications'
import { commonTexts } from '@ovation/contract/texts/common'
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react'
import '@mantine/notifications/styles.layer.css'
import classes from './toaster.module.css'

const icons = {
  check: <IconCheck size={18} />,
  alert: <IconAlertTriangle size={18} />,
  info: <IconInfoCircle size={18} />,
}
const colors = { success: 'teal.8', failure: 'crimson', plain: 'gray.7' }

type Shown = {
  title?: string
  message: string
  tone: keyof typeof colors
  icon: keyof typeof icons
  autoClose: number
}

export function showToast({ tone, icon, ...toast }: Shown): void {
  notifications.show({
    ...toast,
    // The same words twice, say from two failing requests, are one toast.
    id: `${toast.title ?? ''}|${toast.message}`,
    color: colors[tone],
    icon: icons[icon],
    withBorder: true,
    closeButtonProps: { 'aria-label': commonTexts.close },
    // A failure interrupts a screen reader, a success waits its turn.
    role: tone === 'failure' ? 'alert' : 'status',
  })
}

/** The stack of toasts. Mounted once, by the providers. */
export default function Toaster() {
  return <Notifications position="bottom-center" limit={3} zIndex={400} className={classes.toasts} />
}
