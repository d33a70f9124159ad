import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

export type PollWithVotes = {
  id: string
  title: string
  description: string | null
  /** A list of strings as JSON text (DATA-27). */
  options: string
  expires_at: string
  is_active: boolean
  total_votes: number
  /** The index of the viewer's vote; null before voting. */
  my_option: number | null
  results: { option_index: number; option: string; votes: number }[]
}

/** The part of a poll that comes with its post, also for visitors. */
export type PostPoll = Pick<PollWithVotes, 'id' | 'title' | 'options' | 'expires_at' | 'is_active'>

export const pollKey = (id: string) => ['polls', id] as const

/** A poll with its votes (NOTI-16, API-REST-38, API-REST-39); null if it was deleted. */
export const pollQuery = (id: string) =>
  queryOptions({
    queryKey: pollKey(id),
    queryFn: async ({ signal }): Promise<PollWithVotes | null> => {
      const { data } = await supabase
        .rpc('get_poll_results', { for_poll_id: id })
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<Pick<PollWithVotes, 'results'>[]>()
      return data[0] ?? null
    },
  })
