import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

/** The country of the creator's latest application; `null` if there is none (LOOP-08). */
export const applicationCountryQuery = (userId: string) =>
  queryOptions({
    queryKey: ['application-country', userId],
    queryFn: async ({ signal }) => {
      const { data } = await supabase
        .from('creator_applications')
        .select('country')
        .eq('user_id', userId)
        .order('submitted_at', { ascending: false })
        .limit(1)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data?.country ?? null
    },
  })
