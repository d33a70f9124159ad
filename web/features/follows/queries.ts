import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/supabase.ts'

export const followsKey = ['follows'] as const

/** Which of these people the viewer follows, as ids (API-REST-22). */
export const followsQuery = (viewerId: string, profileIds: string[]) =>
  queryOptions({
    queryKey: [...followsKey, viewerId, profileIds],
    queryFn: async ({ signal }): Promise<string[]> => {
      const { data } = await supabase
        .from('follows')
        .select('following_id')
        .eq('follower_id', viewerId)
        .in('following_id', profileIds)
        .abortSignal(signal)
        .throwOnError()
      return data.map((row) => row.following_id)
    },
  })
