import {
  type NotificationData,
  Notifications,
  notifications,
  notificationsStore,
  useNotifications,
} from '@mantine/notifications'
import { commonTexts } from '@ovation/contract/texts/common'
import { IconAlertTriangle, IconCheck, IconHeartFilled, IconInfoCircle } from '@tabler/icons-react'
import { useEffect } from 'react'
import '@mantine/notifications/styles.layer.css'
import joy from './moments.module.css'
import classes from './toaster.module.css'
import { useToastPlace } from './use-toast-place.ts'

export type Tone = 'success' | 'joy' | 'failure' | 'plain'
export type ToastAction = { label: string; onPress: () => void }

const looks: Record<Tone, Pick<NotificationData, 'color' | 'icon'>> = {
  success: { color: 'teal.8', icon: <IconCheck size={18} /> },
  joy: { color: 'crimson', icon: <IconHeartFilled size={18} className={joy.pop ?? ''} /> },
  failure: { color: 'crimson', icon: <IconAlertTriangle size={18} /> },
  plain: { color: 'gray.7', icon: <IconInfoCircle size={18} /> },
}

type Shown = {
  title?: string
  message: string
  action?: ToastAction
  tone: Tone
  autoClose: number
  /** Whether it stays through the next navigation, which its action causes. */
  outlivesScreen: boolean
}

/** The toasts that stay through the next navigation. */
const outliving = new Set<string>()

let actions = 0

export function showToast({ tone, outlivesScreen, action, ...toast }: Shown): void {
  // Two identical messages, for example from two failed requests, become one toast. Two with an action are about different things.
  const id = `${toast.title ?? ''}|${toast.message}|${action ? ++actions : ''}`
  if (outlivesScreen) outliving.add(id)
  notifications.show({
    ...toast,
    ...(action && { message: <WithAction id={id} message={toast.message} action={action} /> }),
    id,
    ...looks[tone],
    withBorder: true,
    closeButtonProps: { 'aria-label': commonTexts.close },
    // A failure interrupts a screen reader; a success waits.
    role: tone === 'failure' ? 'alert' : 'status',
    'data-reading-time': toast.autoClose,
    onFocus: ({ relatedTarget }) => {
      visit = { toast: id, from: isInToasts(relatedTarget) ? (visit?.from ?? null) : relatedTarget }
      keepOpen(true)
    },
    onBlur: ({ relatedTarget }) => {
      if (isInToasts(relatedTarget)) return
      visit = undefined
      keepOpen(false)
    },
    onClose: () => {
      outliving.delete(id)
      // Not now: the store is changing, and the focus changes it again.
      queueMicrotask(() => returnFocus(id))
    },
  })
}

function WithAction({ id, message, action }: { id: string; message: string; action: ToastAction }) {
  return (
    <span className={classes.withAction}>
      <span>{message}</span>
      <button
        type="button"
        className={`reach ${classes.action}`}
        onClick={() => {
          notifications.hide(id)
          action.onPress()
        }}
      >
        {action.label}
      </button>
    </span>
  )
}

/** Closes all toasts, waiting ones too, except those that announce why the user is on another screen now. */
export function closeToasts(): void {
  const { notifications: shown, queue } = notificationsStore.getState()
  for (const { id = '' } of [...shown, ...queue]) if (!outliving.delete(id)) notifications.hide(id)
}

/** Keeps all toasts as long as one of them has the focus; Mantine does so only for the mouse. */
function keepOpen(kept: boolean): void {
  notifications.updateState(notificationsStore, (all) =>
    all.map((one) => ({ ...one, autoClose: kept ? false : (one['data-reading-time'] as number) })),
  )
}

/** The toast with the focus, and what had the focus before. */
let visit: { toast: string; from: Element | null } | undefined

const isInToasts = (element: Element | null): boolean => element?.closest('[data-toasts]') != null

/** A toast that closes would take the focus with it: back to where the user was. */
function returnFocus(id: string): void {
  if (visit?.toast !== id) return
  const { from } = visit
  if (from instanceof HTMLElement && from.isConnected) from.focus({ preventScroll: true })
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}

/** Escape closes the newest toast, unless something else is open that it closes. */
function useEscape(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      const isInside = isInToasts(document.activeElement)
      if (!isInside && document.querySelector(closedByEscape)) return
      const id = (isInside && visit?.toast) || notificationsStore.getState().notifications.at(-1)?.id
      if (!id) return
      // A dialog stays open below the toast that has the focus.
      if (isInside) event.stopImmediatePropagation()
      notifications.hide(id)
    }
    // Before anything that Escape closes has closed.
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
}
const closedByEscape = '[aria-modal="true"], [role="menu"], [role="listbox"]'

/** The stack of toasts. Mounted once, by the providers. */
export default function Toaster() {
  const { notifications: shown } = useNotifications()
  const style = useToastPlace(shown.length)
  useEscape()
  return (
    <Notifications
      data-toasts
      // A portal would mount too late to measure the first toast before it shows.
      withinPortal={false}
      position="bottom-center"
      limit={3}
      zIndex={400}
      className={classes.toasts}
      {...(style && { style })}
    />
  )
}
