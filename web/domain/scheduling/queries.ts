import { infiniteQueryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'

export const scheduledPostsKey = ['scheduled-posts'] as const

export type ScheduledPost = {
  id: string
  title: string | null
  content: string
  post_type: 'free' | 'subscription' | 'ppv'
  media_urls: string[]
  media_types: ('image' | 'video')[]
  poll: { title: string } | null
  publish_at: string
  /** Why it wasn't published on time. */
  failure: string | null
}

const pageSize = 50

/** A creator's scheduled posts, soonest first. Row-level security hides other users' posts, except from admins. */
export const scheduledPostsQuery = (creatorId: string) =>
  infiniteQueryOptions({
    queryKey: [...scheduledPostsKey, creatorId],
    staleTime: 0,
    initialPageParam: 0,
    getNextPageParam: (last: ScheduledPost[], pages) => (last.length < pageSize ? undefined : pages.length),
    queryFn: async ({ signal, pageParam }): Promise<ScheduledPost[]> => {
      const { data } = await supabase
        .from('scheduled_posts')
        .select('id, title, content, post_type, media_urls, media_types, poll, publish_at, failure')
        .eq('creator_id', creatorId)
        .order('publish_at')
        .order('id')
        .range(pageParam * pageSize, (pageParam + 1) * pageSize - 1)
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<Pick<ScheduledPost, 'poll'>[]>()
      return data
    },
  })
