import { ActionIcon, Button, Skeleton } from '@mantine/core'
import { notificationsTexts } from '@ovation/contract/texts/notifications'
import { IconTrash } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { PostThumbnail } from '../../domain/posts/post-thumbnail.tsx'
import { formatAgo } from '../../lib/format/format-ago.ts'
import type { MediaLinks } from '../../lib/media/media-links.ts'
import { NotificationFace } from './notification-face.tsx'
import classes from './notifications.module.css'
import type { Notification } from './queries.ts'
import { targetOf } from './target-of.ts'

// Few notifications have a poll.
const PollWidget = lazy(() => import('../../domain/polls/poll-widget.tsx'))

const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

type Props = { notification: Notification; links: MediaLinks; onRead: () => void; onDelete: () => void }

/** NOTI-07..NOTI-09, NOTI-16, LOOP-17 */
export function NotificationItem({ notification, links, onRead, onDelete }: Props) {
  const target = targetOf(notification)
  return (
    <li className={classes.item} data-unread={!notification.is_read}>
      <NotificationFace notification={notification} />
      <div className={classes.text}>
        <h3 className={classes.itemTitle}>
          {target ? (
            <Link to={target} className={classes.link} onClick={notification.is_read ? undefined : onRead}>
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
      {notification.post && <PostThumbnail post={notification.post} links={links} className={classes.thumbnail} />}
      <div className={classes.foot}>
        <time className={classes.time} dateTime={notification.created_at}>
          {timeOf(notification.created_at)}
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

/** `"2h · Mar 4, 2026, 6:30 PM"`; older than a week, the date alone. */
function timeOf(created_at: string): string {
  const ago = formatAgo(created_at)
  const date = local.format(new Date(created_at))
  return /^(now|\d+[mhd])$/.test(ago) ? `${ago} · ${date}` : date
}
