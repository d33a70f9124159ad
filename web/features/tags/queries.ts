import { feedPageSize } from '@ovation/contract/limits'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { postColumns } from '../../domain/posts/post-columns.ts'
import { type Cursor, type Post, postsKey } from '../../domain/posts/queries.ts'
import { type Byline, bylineColumns } from '../../lib/api/byline.ts'
import { supabase } from '../../lib/api/supabase.ts'

/** As the server compares tags. */
const keyOf = (tag: string): string => tag.normalize().toLowerCase()

/** The posts with a tag that the viewer may see, newest first (TALK-01). */
export const taggedPostsQuery = (tag: string) =>
  infiniteQueryOptions({
    queryKey: [...postsKey, 'tag', keyOf(tag)],
    initialPageParam: undefined as Cursor | undefined,
    getNextPageParam: (page: Post[]): Cursor | undefined => (page.length < feedPageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam: last }): Promise<Post[]> => {
      const { data } = await supabase
        .rpc(
          'get_tagged_posts',
          { tag: keyOf(tag), page_size: feedPageSize, ...(last && { before: last.created_at, before_id: last.id }) },
          { get: true },
        )
        .select(postColumns)
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<Pick<Post, 'media_previews'>[]>()
      return data
    },
  })

export type TaggedComment = {
  id: string
  content: string
  created_at: string
  author: Byline
  post: { id: string; title: string | null } | null
}

/** The comments with a tag that the viewer may see, newest first (TALK-01). */
export const taggedCommentsQuery = (tag: string) =>
  infiniteQueryOptions({
    queryKey: ['comments', 'tag', keyOf(tag)],
    initialPageParam: undefined as TaggedComment | undefined,
    getNextPageParam: (page: TaggedComment[]) => (page.length < feedPageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam: last }): Promise<TaggedComment[]> => {
      const { data } = await supabase
        .rpc(
          'get_tagged_comments',
          { tag: keyOf(tag), page_size: feedPageSize, ...(last && { before: last.created_at, before_id: last.id }) },
          { get: true },
        )
        .select(`id, content, created_at, author:profiles!user_id(${bylineColumns}), post:posts(id, title)`)
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<TaggedComment[], { merge: false }>()
      return data
    },
  })
