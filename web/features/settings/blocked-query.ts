import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

export type Blocked = {
  id: string
  blocked: {
    id: string
    user_id: string
    username: string | null
    display_name: string | null
    avatar_url: string | null
    updated_at: string
  } | null
}

export const blockedQuery = (profileId: string) =>
  queryOptions({
    queryKey: ['settings', profileId, 'blocked'],
    queryFn: async ({ signal }): Promise<Blocked[]> => {
      const { data } = await supabase
        .from('blocks')
        .select('id, blocked:profiles!blocked_id(id, user_id, username, display_name, avatar_url, updated_at)')
        .eq('blocker_id', profileId)
        .order('created_at', { ascending: false })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })
