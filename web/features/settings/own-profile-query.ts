import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

export type OwnProfile = { username: string | null; display_name: string | null; bio: string | null }

export const ownProfileQuery = (profileId: string) =>
  queryOptions({
    queryKey: ['settings', profileId, 'profile'],
    queryFn: async ({ signal }): Promise<OwnProfile> => {
      const { data } = await supabase
        .from('profiles')
        .select('username, display_name, bio')
        .eq('id', profileId)
        .abortSignal(signal)
        .single()
        .throwOnError()
      return data
    },
  })
