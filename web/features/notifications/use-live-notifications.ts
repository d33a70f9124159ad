import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useLiveChange } from '../../lib/live/use-live-change.ts'

/** The shell listens; the code that reads notifications loads with the first one. */
export const refreshLater = (queryClient: QueryClient) =>
  void import('./refresh-notifications.ts').then(({ refreshNotifications }) => refreshNotifications(queryClient))

/** Keeps the list and the unread count current while the app is open (NOTI-14, API-RT-01, API-RT-02). Refetches after a reconnect. */
export function useLiveNotifications(profileId: string | undefined): void {
  const queryClient = useQueryClient()
  const refresh = () => refreshLater(queryClient)
  useLiveChange('notifications', profileId ? `user_id=eq.${profileId}` : null, refresh)
  // New posts that the viewer has seen on another device.
  useLiveChange('post_alerts', profileId ? `user_id=eq.${profileId}` : null, refresh)
}
