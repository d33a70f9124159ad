import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { type FoundUser, foundUserColumns } from './found-user.ts'

export const followsKey = ['follows'] as const

/** The ids of these users whom the viewer follows (API-REST-22). */
export const followsQuery = (viewerId: string, profileIds: string[]) =>
  queryOptions({
    queryKey: [...followsKey, viewerId, profileIds],
    queryFn: async ({ signal }): Promise<string[]> => {
      const { data } = await supabase
        .from('follows')
        .select('following_id')
        .eq('follower_id', viewerId)
        .in('following_id', profileIds)
        .abortSignal(signal)
        .throwOnError()
      return data.map((row) => row.following_id)
    },
  })

export type FollowList = 'followers' | 'following'

const followListPageSize = 30

/** Removes the filter's syntax and wildcards from a search. */
const plain = (search: string): string => search.replace(/[\\"*%_(),]/g, ' ').trim()

/** A user's followers or followed users, latest first (PROF-18). Row-level security hides private profiles. */
export const followListQuery = (profileId: string, list: FollowList, search: string) => {
  const [side, other] =
    list === 'followers' ? (['following_id', 'follower_id'] as const) : (['follower_id', 'following_id'] as const)
  return infiniteQueryOptions({
    queryKey: [...followsKey, 'list', profileId, list, search],
    initialPageParam: 0,
    getNextPageParam: (last: FoundUser[], pages) => (last.length < followListPageSize ? undefined : pages.length),
    queryFn: async ({ signal, pageParam }): Promise<FoundUser[]> => {
      let query = supabase
        .from('follows')
        .select(`person:profiles!${other}!inner(${foundUserColumns})` as const)
        .eq(side, profileId)
      const text = plain(search)
      if (text)
        query = query.or(`username.ilike."*${text}*",display_name.ilike."*${text}*"`, { referencedTable: 'person' })
      const { data } = await query
        .order('created_at', { ascending: false })
        .order('id')
        .range(pageParam * followListPageSize, (pageParam + 1) * followListPageSize - 1)
        .abortSignal(signal)
        .throwOnError()
      return data.map(({ person }) => person)
    },
  })
}
