import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { supabase } from '../../lib/supabase.ts'
import { notificationsKey } from './queries.ts'

/**
 * Keeps the list and the badge current while the app is open (NOTI-14, API-RT-01, API-RT-02).
 * A change only says that something changed; what the viewer sees is read again, through the rules.
 */
export function useLiveNotifications(profileId: string | undefined): void {
  const queryClient = useQueryClient()

  useEffect(() => {
    if (!profileId) return
    const refresh = () => void queryClient.invalidateQueries({ queryKey: notificationsKey })
    let joinedBefore = false
    const channel = supabase
      .channel(`notifications:${profileId}`)
      .on(
        'postgres_changes',
        { event: '*', schema: 'public', table: 'notifications', filter: `user_id=eq.${profileId}` },
        refresh,
      )
      .subscribe((status) => {
        if (status !== 'SUBSCRIBED') return
        // What arrived while the connection was down was not sent again.
        if (joinedBefore) refresh()
        joinedBefore = true
      })
    return () => void supabase.removeChannel(channel)
  }, [profileId, queryClient])
}
