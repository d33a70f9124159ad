import { feedPageSize } from '@ovation/contract/limits'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { mustRefetchAfterRemoval } from '../../lib/api/must-refetch-after-removal.ts'
import { type Post, postsKey } from './queries.ts'

type Cached = InfiniteData<Post[]> | Post | null

/** Changes a post in every list and on its own screen. */
export function changePost(queryClient: QueryClient, id: string, change: (post: Post) => Post): void {
  queryClient.setQueriesData<Cached>({ queryKey: postsKey }, (data) => {
    if (!data) return data
    if (!('pages' in data)) return data.id === id ? change(data) : data
    // Unchanged pages keep their identity, so that they don't re-render.
    return mapPages(data, (page) =>
      page.some((post) => post.id === id) ? page.map((post) => (post.id === id ? change(post) : post)) : page,
    )
  })
}

/** Removes a post from every list. Its own screen keeps it until the viewer leaves. */
export function dropPost(queryClient: QueryClient, id: string): void {
  for (const [queryKey, data] of queryClient.getQueriesData<Cached>({ queryKey: postsKey })) {
    if (!data || !('pages' in data)) continue
    queryClient.setQueryData(
      queryKey,
      mapPages(data, (page) => page.filter((post) => post.id !== id)),
    )
    if (mustRefetchAfterRemoval(id, data.pages, feedPageSize))
      void queryClient.invalidateQueries({ queryKey, exact: true })
  }
}

const mapPages = (data: InfiniteData<Post[]>, map: (page: Post[]) => Post[]): InfiniteData<Post[]> => ({
  ...data,
  pages: data.pages.map(map),
})

/** Adjusts `likes_count` or `comments_count` after the viewer's own action. The server counts by itself. */
export function countOnPost(
  queryClient: QueryClient,
  id: string,
  counter: 'likes_count' | 'comments_count',
  step: number,
): void {
  changePost(queryClient, id, (post) => ({ ...post, [counter]: Math.max(0, post[counter] + step) }))
}
