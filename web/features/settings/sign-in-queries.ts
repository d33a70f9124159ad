import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { authClient } from '../../lib/auth/auth-client.ts'

export type OwnSession = {
  id: string
  created_at: string
  last_used_at: string
  user_agent: string | null
  ip: string | null
  is_current: boolean
}

export const sessionsQuery = () =>
  queryOptions({
    queryKey: ['own-sessions'],
    queryFn: async ({ signal }): Promise<OwnSession[]> => {
      const { data } = await supabase
        .rpc('list_own_sessions')
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<OwnSession[], { merge: false }>()
      return data
    },
  })

export const passkeysQuery = () =>
  queryOptions({
    queryKey: ['own-passkeys'],
    queryFn: async () => {
      const { data, error } = await (await authClient()).passkey.list()
      if (error) throw error
      return data
    },
  })
