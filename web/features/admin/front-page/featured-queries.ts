import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../../lib/api/supabase.ts'

/** A creator whom the front page features, or who can be featured. */
export type Candidate = {
  id: string
  username: string | null
  display_name: string | null
  avatar_url: string | null
  updated_at: string
}

/** Those who are chosen, with those whom visitors don't see at the moment. */
export type Featured = Candidate & { is_listed: boolean }

const columns = 'id, username, display_name, avatar_url, updated_at'

/** The featured creators in order (FIND-06). */
export const featuredQuery = () =>
  queryOptions({
    queryKey: ['featured-creators'],
    queryFn: async ({ signal }): Promise<Featured[]> => {
      const { data } = await supabase
        .from('featured_creators')
        .select(`creator:profiles!creator_id(${columns}, is_listed)` as const)
        .order('position')
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<{ creator: Featured }[], { merge: false }>()
      return data.map(({ creator }) => creator)
    },
  })

/** Creators in Explore by a search; without one, the most popular. */
export const candidatesQuery = (search: string, size: number) =>
  queryOptions({
    queryKey: ['creators', 'candidates', search, size],
    queryFn: async ({ signal }): Promise<Candidate[]> => {
      const { data } = await supabase
        .rpc('discover_creators', { ...(search && { search }), page_size: size }, { get: true })
        .select(columns)
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<Candidate[], { merge: false }>()
      return data
    },
  })
