import { Badge, Button, Loader } from '@mantine/core'
import { notificationsTexts } from '@ovation/contract/texts/notifications'
import { IconBell } from '@tabler/icons-react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { unreadCountQuery } from '../../domain/notifications/unread.ts'
import { useViewer } from '../../lib/auth/viewer.ts'
import { formatCount } from '../../lib/format/format.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { Page } from '../../ui/page.tsx'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { NotificationItem } from './notification-item.tsx'
import classes from './notifications.module.css'
import { type Notification, notificationsQuery } from './queries.ts'
import { useNotificationActions } from './use-notification-actions.ts'

/** NOTI-01 */
export function NotificationsScreen() {
  const viewer = useViewer()
  const unread = useQuery({ ...unreadCountQuery(viewer?.profileId ?? ''), enabled: Boolean(viewer) })
  const actions = useNotificationActions(viewer?.profileId)
  if (viewer === null) return null

  const count = unread.data ?? 0
  return (
    <Page
      title={notificationsTexts.title}
      heading={
        <span className={classes.heading}>
          {notificationsTexts.title}
          {count > 0 && (
            <Badge size="lg" tt="none" className={classes.new}>
              {notificationsTexts.new(count)}
            </Badge>
          )}
        </span>
      }
      actions={
        count > 0 && (
          <Button variant="default" onClick={() => actions.markAllRead()}>
            {notificationsTexts.markAllRead}
          </Button>
        )
      }
    >
      <section className={`surface ${classes.activity}`} aria-labelledby="recent-activity">
        <h2 id="recent-activity" className={classes.title}>
          {notificationsTexts.recentActivity}
        </h2>
        <Activity actions={actions} />
      </section>
    </Page>
  )
}

type Actions = ReturnType<typeof useNotificationActions>

function Activity({ actions }: { actions: Actions }) {
  const notifications = useQuery(notificationsQuery())
  const keptFocus = useKeptFocus()
  return (
    <div className={classes.region} {...keptFocus}>
      <Listed notifications={notifications} actions={actions} />
    </div>
  )
}

type ListedProps = { notifications: UseQueryResult<Notification[]>; actions: Actions }

function Listed({ notifications, actions }: ListedProps) {
  if (notifications.isPending)
    return (
      <div className={classes.waiting} role="status" aria-label={notificationsTexts.loading}>
        <Loader />
      </div>
    )
  if (notifications.isError) return <LoadFailed title={notificationsTexts.loadFailed} of={notifications} />
  if (notifications.data.length === 0)
    return <EmptyState icon={<IconBell size={26} stroke={1.5} />} {...notificationsTexts.empty} order={3} />
  return <NotificationList notifications={notifications.data} actions={actions} />
}

type ListProps = { notifications: Notification[]; actions: Actions }

/** A scrolling list that is also keyboard-scrollable (NOTI-06). New notifications are announced. */
function NotificationList({ notifications, actions }: ListProps) {
  return (
    <ul className={classes.list} aria-label={`${formatCount(notifications.length)} ${notificationsTexts.title}`}>
      {notifications.map((notification) => (
        <NotificationItem
          key={notification.id}
          notification={notification}
          onRead={() => actions.markRead(notification)}
          onDelete={() => actions.remove(notification)}
        />
      ))}
    </ul>
  )
}
