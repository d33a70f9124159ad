import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

export type Application = {
  id: string
  status: 'pending' | 'approved' | 'rejected'
  rejection_reason: string | null
  submitted_at: string
  reviewed_at: string | null
  country: string
}

/** The user's latest application; `null` if there is none (API-REST-30, VER-11). */
export const latestApplicationQuery = (userId: string) =>
  queryOptions({
    queryKey: ['latest-application', userId],
    queryFn: async ({ signal }): Promise<Application | null> => {
      const { data } = await supabase
        .from('creator_applications')
        .select('id, status, rejection_reason, submitted_at, reviewed_at, country')
        .eq('user_id', userId)
        .order('submitted_at', { ascending: false })
        .limit(1)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data
    },
  })
