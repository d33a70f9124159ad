import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { dashboardKey, fresh } from './query-parts.ts'

/** DATA-32; earnings in cents, after the fee. */
export const statsQuery = (profileId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'stats'],
    queryFn: async ({ signal }) => {
      const { data } = await supabase
        .rpc('get_creator_stats', { creator_profile_id: profileId })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** The change of each number, for the trends (DASH-13, DASH-14). */
export const growthQuery = (profileId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'growth'],
    queryFn: async ({ signal }) => {
      const { data } = await supabase
        .rpc('get_creator_growth', { creator_profile_id: profileId })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

export type Activity = { id: string; title: string; message: string; created_at: string }

/** The creator's five latest notifications (DASH-10), without broadcasts by admins. */
export const activityQuery = (profileId: string) =>
  queryOptions({
    ...fresh,
    queryKey: [...dashboardKey(profileId), 'activity'],
    queryFn: async ({ signal }): Promise<Activity[]> => {
      const { data } = await supabase
        .from('notifications')
        .select('id, title, message, created_at')
        .eq('user_id', profileId)
        .not('type', 'in', '(poll,announcement)')
        .order('created_at', { ascending: false })
        .limit(5)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })
