import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

export const postAlertsKey = ['post-alerts'] as const

export const alertLevels = ['all', 'paid', 'none'] as const
export type AlertLevel = (typeof alertLevels)[number]

/** Which new posts of a creator the viewer hears of; `null` if the viewer neither follows nor subscribes (LOOP-02). */
export const postAlertsQuery = (viewerId: string, creatorId: string) =>
  queryOptions({
    queryKey: [...postAlertsKey, viewerId, creatorId],
    queryFn: async ({ signal }): Promise<AlertLevel | null> => {
      const { data } = await supabase
        .rpc('get_post_alerts', { creator_profile_id: creatorId }, { get: true })
        .abortSignal(signal)
        .throwOnError()
      return data as AlertLevel | null
    },
  })

/** Creators of whose new posts the viewer hears, for live updates. */
export const heardCreatorsQuery = (viewerId: string) =>
  queryOptions({
    queryKey: [...postAlertsKey, viewerId, 'heard'],
    staleTime: 5 * 60_000,
    queryFn: async ({ signal }): Promise<string[]> => {
      const { data } = await supabase
        .rpc('list_heard_creators', undefined, { get: true })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })
