import { type NotificationData, Notifications, notifications } from '@mantine/notifications'
import { commonTexts } from '@ovation/contract/texts/common'
import { IconAlertTriangle, IconCheck, IconHeartFilled, IconInfoCircle } from '@tabler/icons-react'
import '@mantine/notifications/styles.layer.css'
import joy from './joy.module.css'
import classes from './toaster.module.css'

export type Tone = 'success' | 'joy' | 'failure' | 'plain'

const looks: Record<Tone, Pick<NotificationData, 'color' | 'icon'>> = {
  success: { color: 'teal.8', icon: <IconCheck size={18} /> },
  joy: { color: 'crimson', icon: <IconHeartFilled size={18} className={joy.pop ?? ''} /> },
  failure: { color: 'crimson', icon: <IconAlertTriangle size={18} /> },
  plain: { color: 'gray.7', icon: <IconInfoCircle size={18} /> },
}

type Shown = {
  title?: string
  message: string
  tone: Tone
  autoClose: number
}

export function showToast({ tone, ...toast }: Shown): void {
  notifications.show({
    ...toast,
    // Two identical messages, for example from two failed requests, become one toast.
    id: `${toast.title ?? ''}|${toast.message}`,
    ...looks[tone],
    withBorder: true,
    closeButtonProps: { 'aria-label': commonTexts.close },
    // A failure interrupts a screen reader; a success waits.
    role: tone === 'failure' ? 'alert' : 'status',
  })
}

/** The stack of toasts. Mounted once, by the providers. */
export default function Toaster() {
  return <Notifications position="bottom-center" limit={3} zIndex={400} className={classes.toasts} />
}
