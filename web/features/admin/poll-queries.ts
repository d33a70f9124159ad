import { infiniteQueryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

export type PollOption = {
  option_index: number
  option: string
  votes: number
  /** Most recent first, five at most (ADM-39). */
  voters: {
    profile_id: string
    username: string
    display_name: string | null
    avatar_url: string | null
    voted_at: string
  }[]
}

export type PollResult = {
  id: string
  title: string
  description: string | null
  expires_at: string
  is_active: boolean
  created_at: string
  total_votes: number
  results: PollOption[]
}

const pageSize = 20

/** All polls with results and recent voters, newest first (ADM-38, ADM-39, API-REST-37). */
export const pollResultsQuery = () =>
  infiniteQueryOptions({
    queryKey: ['poll-results'],
    // Votes keep coming in.
    staleTime: 0,
    initialPageParam: undefined as PollResult | undefined,
    getNextPageParam: (page: PollResult[]) => (page.length < pageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam }): Promise<PollResult[]> => {
      const { data } = await supabase
        .rpc('get_poll_results', {
          page_size: pageSize,
          ...(pageParam && { before: pageParam.created_at, before_id: pageParam.id }),
        })
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<Pick<PollResult, 'results'>[]>()
      return data
    },
  })
