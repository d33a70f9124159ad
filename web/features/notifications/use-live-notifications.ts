import { useQueryClient } from '@tanstack/react-query'
import { notificationsKey } from '../../domain/notifications/unread.ts'
import { useLiveChange } from '../../lib/live/use-live-change.ts'

/** Keeps the list and the unread count current while the app is open (NOTI-14, API-RT-01, API-RT-02). Refetches after a reconnect. */
export function useLiveNotifications(profileId: string | undefined): void {
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: notificationsKey })
  useLiveChange('notifications', profileId ? `user_id=eq.${profileId}` : null, refresh)
  // New posts that the viewer has seen on another device.
  useLiveChange('post_alerts', profileId ? `user_id=eq.${profileId}` : null, refresh)
}
