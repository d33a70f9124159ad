import type { Database } from '@ovation/contract/database'
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../../lib/api/supabase.ts'

/** People, growth, and queues (LOOP-24). */
export const overviewQuery = () =>
  queryOptions({
    queryKey: ['admin-overview'],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const { data } = await supabase.rpc('get_admin_overview').abortSignal(signal).throwOnError()
      return data as Database['public']['CompositeTypes']['admin_overview']
    },
  })
