import {
  type Icon,
  IconBell,
  IconChartBar,
  IconCoin,
  IconHeart,
  IconMessageCircle,
  IconShieldCheck,
  IconSpeakerphone,
  IconUserStar,
} from '@tabler/icons-react'
import { nameOf } from '../../lib/auth/viewer.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import classes from './notification-face.module.css'
import type { Notification } from './queries.ts'

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

/** The face of the user who caused a notification, with the icon of its type as a mark on it (LOOP-17); else the icon alone. */
export function NotificationFace({ notification: { type, actor } }: { notification: Notification }) {
  const { icon: Mark, tone } = marks[type] ?? other
  return (
    <span className={classes.face} aria-hidden="true">
      {actor && <ProfileAvatar name={nameOf(actor)} src={publicImage(actor.avatar_url, actor.updated_at)} size={44} />}
      <span className={classes.mark} data-tone={tone} data-small={actor !== undefined || undefined}>
        <Mark size={actor ? 13 : 20} stroke={actor ? 2 : 1.6} />
      </span>
    </span>
  )
}
