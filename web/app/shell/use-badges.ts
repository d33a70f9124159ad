import { useQuery } from '@tanstack/react-query'
import { unreadMessagesQuery } from '../../domain/messages/unread.ts'
import { unreadCountQuery } from '../../domain/notifications/unread.ts'
import { useViewer } from '../../lib/auth/viewer.ts'

/* Unread counts in the shell. A count that can't be read shows no badge, and no error (ERR-05). */

export function useUnreadNotifications(): number {
  const viewer = useViewer()
  return useQuery({ ...unreadCountQuery(viewer?.profileId ?? ''), enabled: Boolean(viewer) }).data ?? 0
}

export function useUnreadMessages(): number {
  const viewer = useViewer()
  return useQuery({ ...unreadMessagesQuery(viewer?.profileId ?? ''), enabled: Boolean(viewer) }).data ?? 0
}
