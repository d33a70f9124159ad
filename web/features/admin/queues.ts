import type { Database } from '@ovation/contract/database'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { useViewer } from '../../lib/auth/viewer.ts'

export type AdminQueues = Database['public']['CompositeTypes']['admin_queues']

export const queuesKey = ['admin-queues'] as const

/** How many applications, reports, and support requests wait for an admin (LOOP-24). */
export const queuesQuery = () =>
  queryOptions({
    queryKey: queuesKey,
    staleTime: 0,
    // The links to the admin panel listen to no changes.
    refetchInterval: 60_000,
    queryFn: async ({ signal }) => {
      const { data } = await supabase.rpc('get_admin_queues').abortSignal(signal).throwOnError()
      return data as AdminQueues
    },
  })

/** How much waits for the viewer, if they are an admin. A count that can't be read shows no badge, and no error (ERR-05). */
export function useWaitingForAdmin(): number {
  const isAdmin = useViewer()?.isAdmin === true
  const { data } = useQuery({ ...queuesQuery(), enabled: isAdmin })
  return data ? data.pending_applications + data.open_reports + data.open_support_requests : 0
}
