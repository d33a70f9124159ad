import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

export const notificationsKey = ['notifications'] as const

export type Notification = {
  id: string
  type: string
  title: string
  message: string
  is_read: boolean
  created_at: string
  /** The embedded poll (DATA-12). */
  poll_id: string | null
}

/** The most that anyone scrolls through. Older ones no longer matter. */
const newest = 100

/** The viewer's notifications, newest first (API-REST-13). Row-level security limits them to the viewer's own. */
export const notificationsQuery = () =>
  queryOptions({
    queryKey: [...notificationsKey, 'list'],
    queryFn: async ({ signal }): Promise<Notification[]> => {
      const { data } = await supabase
        .from('notifications')
        .select('id, type, title, message, is_read, created_at, poll_id')
        .order('created_at', { ascending: false })
        .limit(newest)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** The viewer's number of unread notifications (API-REST-12). */
export const unreadCountQuery = (profileId: string) =>
  queryOptions({
    queryKey: [...notificationsKey, 'unread', profileId],
    queryFn: async ({ signal }): Promise<number> => {
      const { count } = await supabase
        .from('notifications')
        .select('id', { count: 'exact', head: true })
        .eq('user_id', profileId)
        .eq('is_read', false)
        .abortSignal(signal)
        .throwOnError()
      return count ?? 0
    },
  })
