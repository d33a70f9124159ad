import { feedPageSize } from '@ovation/contract/limits'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { feedQuery, type Post, readFeedPage } from '../../domain/posts/queries.ts'
import { supabase } from '../../lib/api/supabase.ts'
import { useLiveChange } from '../../lib/live/use-live-change.ts'

/** The most creators in one live filter. Posts of the rest show on the next visit. */
const followedAtMost = 100
/** The minimum interval between two reads of the feed. */
const minIntervalMs = 10_000

const followedQuery = (viewerId: string) =>
  queryOptions({
    queryKey: ['follows', 'live', viewerId],
    staleTime: 5 * 60_000,
    queryFn: async ({ signal }): Promise<string[]> => {
      const { data } = await supabase
        .from('follows')
        .select('following_id')
        .eq('follower_id', viewerId)
        .order('created_at', { ascending: false })
        .limit(followedAtMost)
        .abortSignal(signal)
        .throwOnError()
      return data.map(({ following_id }) => following_id)
    },
  })

/** New posts of followed creators. They are counted live, and added when the viewer asks, so that nothing moves while reading. */
export function useNewPosts(viewerId: string | undefined) {
  const queryClient = useQueryClient()
  const followed = useQuery({ ...followedQuery(viewerId ?? ''), enabled: viewerId !== undefined })
  const [fresh, setFresh] = useState<Post[]>([])
  const clock = useRef<ReturnType<typeof setTimeout>>(undefined)
  const readAt = useRef(0)

  const readNewest = useCallback(async () => {
    clock.current = undefined
    readAt.current = Date.now()
    if (!queryClient.getQueryData(feedQuery().queryKey)) return
    const newest = await readFeedPage().catch(() => [])
    setFresh(newest.filter(({ creator_id }) => creator_id !== viewerId))
  }, [queryClient, viewerId])
  // Without posts that the feed has by now: it may have been refetched.
  const shown = new Set(
    queryClient
      .getQueryData(feedQuery().queryKey)
      ?.pages.flat()
      .map(({ id }) => id),
  )
  const waiting = fresh.filter(({ id }) => !shown.has(id))

  const ids = followed.data ?? []
  const scheduleRead = () => {
    clock.current ??= setTimeout(() => void readNewest(), Math.max(500, readAt.current + minIntervalMs - Date.now()))
  }
  // Only inserts, because each like updates a post.
  useLiveChange('posts', ids.length > 0 ? `creator_id=in.(${ids.join(',')})` : null, scheduleRead, 'INSERT')

  const show = () => {
    queryClient.setQueryData(feedQuery().queryKey, (feed) => {
      if (!feed) return feed
      // More than a page of new posts: restart the feed, so that none is skipped.
      if (waiting.length >= feedPageSize) return { pages: [waiting], pageParams: [undefined] }
      return { pages: [waiting, ...feed.pages], pageParams: [undefined, ...feed.pageParams] }
    })
    setFresh([])
    window.scrollTo({ top: 0 })
  }
  return { count: waiting.length, show, followed: ids }
}
