import { useQueryClient } from '@tanstack/react-query'
import { useLiveChange } from '../../lib/live/use-live-change.ts'
import { notificationsKey } from './queries.ts'

/** Keeps the list and the unread count current while the app is open (NOTI-14, API-RT-01, API-RT-02). */
export function useLiveNotifications(profileId: string | undefined): void {
  const queryClient = useQueryClient()
  useLiveChange('notifications', profileId ? `user_id=eq.${profileId}` : null, () =>
    queryClient.invalidateQueries({ queryKey: notificationsKey }),
  )
}
