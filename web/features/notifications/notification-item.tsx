import { ActionIcon, Button, Skeleton } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { notificationsTexts } from '@ovation/contract/texts/notifications'
import {
  type Icon,
  IconBell,
  IconChartBar,
  IconCoin,
  IconHeart,
  IconMessageCircle,
  IconShieldCheck,
  IconSpeakerphone,
  IconTrash,
  IconUserStar,
} from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import classes from './notifications.module.css'
import type { Notification } from './queries.ts'

// Few notifications have a poll.
const PollWidget = lazy(() => import('../../domain/polls/poll-widget.tsx'))

/** NOTI-13 */
const marks: Record<string, { icon: Icon; tone: string }> = {
  tip: { icon: IconCoin, tone: 'green' },
  payment: { icon: IconCoin, tone: 'green' },
  like: { icon: IconHeart, tone: 'red' },
  message: { icon: IconMessageCircle, tone: 'blue' },
  subscription: { icon: IconUserStar, tone: 'purple' },
  verification: { icon: IconShieldCheck, tone: 'yellow' },
  poll: { icon: IconChartBar, tone: 'primary' },
  announcement: { icon: IconSpeakerphone, tone: 'primary' },
}
const other = { icon: IconBell, tone: 'default' }

const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

type Props = { notification: Notification; onRead: () => void; onDelete: () => void }

/** NOTI-07..NOTI-09, NOTI-16 */
export function NotificationItem({ notification, onRead, onDelete }: Props) {
  const { icon: Mark, tone } = marks[notification.type] ?? other
  return (
    <li className={classes.item} data-unread={!notification.is_read}>
      <span className={classes.mark} data-tone={tone} aria-hidden="true">
        <Mark size={20} stroke={1.6} />
      </span>
      <div className={classes.text}>
        <h3 className={classes.itemTitle}>
          {notification.post_id ? (
            <Link
              to={paths.post(notification.post_id)}
              className={classes.link}
              onClick={notification.is_read ? undefined : onRead}
            >
              {notification.title}
            </Link>
          ) : (
            notification.title
          )}
        </h3>
        {notification.message && <p className={classes.message}>{notification.message}</p>}
        {notification.poll_id && (
          <Suspense fallback={<Skeleton height={120} mt="sm" />}>
            <PollWidget pollId={notification.poll_id} />
          </Suspense>
        )}
      </div>
      <div className={classes.foot}>
        <time className={classes.time} dateTime={notification.created_at}>
          {local.format(new Date(notification.created_at))}
        </time>
        <div className={classes.buttons}>
          {!notification.is_read && (
            <Button variant="subtle" size="compact-sm" onClick={onRead}>
              {notificationsTexts.markRead}
            </Button>
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            className={classes.delete}
            aria-label={notificationsTexts.deleteNamed(notification.title)}
            title={notificationsTexts.delete}
            onClick={onDelete}
          >
            <IconTrash size={18} stroke={1.6} />
          </ActionIcon>
        </div>
      </div>
    </li>
  )
}
