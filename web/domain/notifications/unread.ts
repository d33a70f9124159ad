import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

export const notificationsKey = ['notifications'] as const

/** The viewer's number of unread notifications (API-REST-12). New posts are counted by creator, and have no rows (LOOP-02). */
export const unreadCountQuery = (profileId: string) =>
  queryOptions({
    queryKey: [...notificationsKey, 'unread', profileId],
    queryFn: async ({ signal }): Promise<number> => {
      const [stored, posts] = await Promise.all([
        supabase
          .from('notifications')
          .select('id', { count: 'exact', head: true })
          .eq('user_id', profileId)
          .eq('is_read', false)
          .abortSignal(signal)
          .throwOnError(),
        supabase.rpc('count_new_posts', undefined, { get: true }).abortSignal(signal).throwOnError(),
      ])
      return (stored.count ?? 0) + posts.data
    },
  })
