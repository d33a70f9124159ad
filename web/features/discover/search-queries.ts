import { searchLimit } from '@ovation/contract/limits'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type FoundUser, foundUserColumns } from '../../domain/follows/found-user.ts'
import { postColumns } from '../../domain/posts/post-columns.ts'
import { type Post, postsKey } from '../../domain/posts/queries.ts'
import { supabase } from '../../lib/api/supabase.ts'

/** Up to 20 users whose names contain the text, or whose profiles have its words, best-known first (SRCH-03, SRCH-04, LOOP-10). */
export const userSearchQuery = (query: string, size = searchLimit) =>
  queryOptions({
    queryKey: ['user-search', query, size],
    queryFn: async ({ signal }): Promise<FoundUser[]> => {
      const { data } = await supabase
        .rpc('search_profiles', { search: query, page_size: size }, { get: true })
        .select(foundUserColumns)
        .abortSignal(signal)
        .throwOnError()
      return data as FoundUser[]
    },
  })

/** Up to 20 posts with these words that the viewer may see, newest first (LOOP-10). A list with one page, so that updates of lists apply to it too. */
export const postSearchQuery = (query: string) =>
  infiniteQueryOptions({
    queryKey: [...postsKey, 'search', query],
    initialPageParam: undefined,
    getNextPageParam: () => undefined,
    queryFn: async ({ signal }): Promise<Post[]> => {
      const { data } = await supabase
        .rpc('search_posts', { search: query, page_size: searchLimit }, { get: true })
        .select(postColumns)
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<Pick<Post, 'media_previews'>[]>()
      return data
    },
  })

export type FoundTag = { category: string; creators: number }

/** The categories that the text names (LOOP-10). */
export const tagSearchQuery = (query: string) =>
  queryOptions({
    queryKey: ['tag-search', query],
    queryFn: async ({ signal }): Promise<FoundTag[]> => {
      const { data } = await supabase
        .rpc('search_tags', { search: query }, { get: true })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })
