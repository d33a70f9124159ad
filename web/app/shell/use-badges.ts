import { useQuery } from '@tanstack/react-query'
import { unreadMessagesQuery } from '../../features/messages/unread.ts'
import { unreadCountQuery } from '../../features/notifications/queries.ts'
import { useViewer } from '../../lib/viewer.ts'

/** Unread counts of the chrome. A count that cannot be read shows as none: the badge is no place for an error (ERR-05). */
export function useBadges(): { notifications: number; messages: number } {
  const viewer = useViewer()
  const notifications = useQuery({ ...unreadCountQuery(viewer?.profileId ?? ''), enabled: Boolean(viewer) })
  const messages = useQuery({ ...unreadMessagesQuery(viewer?.profileId ?? ''), enabled: Boolean(viewer) })
  return { notifications: notifications.data ?? 0, messages: messages.data ?? 0 }
}
