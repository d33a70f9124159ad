import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

export const restrictionsKey = ['restrictions'] as const

/** The ids of these users whom the viewer, a creator, restricts (LIST-05). */
export const restrictedAmongQuery = (profileIds: readonly string[]) =>
  queryOptions({
    queryKey: [...restrictionsKey, profileIds],
    queryFn: async ({ signal }): Promise<string[]> => {
      const { data } = await supabase
        .rpc('restricted_among', { profile_ids: [...profileIds] })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })
