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
  /** The poll that it embeds (DATA-12). */
  poll_id: string | null
}

/** As many as a person scrolls through; older ones have been read or are past caring about. */
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

/** How many the viewer has not read (API-REST-12). */
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
