import { queryOptions } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { postColumns } from './post-columns.ts'
import type { Post } from './queries.ts'

/** Looks at a few posts, because some of them stay locked. */
const lookup = 9
const shown = 3

/** The newest posts of a creator that the viewer can see. */
async function readOpenPosts(creatorId: string, signal: AbortSignal, type?: Post['post_type']): Promise<Post[]> {
  const posts = supabase.from('posts').select(postColumns).eq('creator_id', creatorId)
  const { data } = await (type ? posts.eq('post_type', type) : posts)
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(lookup)
    .abortSignal(signal)
    .throwOnError()
    .overrideTypes<Pick<Post, 'media_previews'>[]>()
  return data.filter((post) => !post.is_locked)
}

/** What a subscription has just unlocked (LOOP-06). */
export const unlockedPostsQuery = (creatorId: string) =>
  queryOptions({
    queryKey: ['unlocked-posts', creatorId],
    queryFn: ({ signal }) => readOpenPosts(creatorId, signal, 'subscription'),
    select: (posts) => posts.slice(0, shown),
  })

/** What there is to see after a post. */
export const furtherPostsQuery = ({ id, creator_id }: Pick<Post, 'id' | 'creator_id'>) =>
  queryOptions({
    queryKey: ['further-posts', creator_id],
    queryFn: ({ signal }) => readOpenPosts(creator_id, signal),
    select: (posts) => posts.filter((post) => post.id !== id).slice(0, shown),
  })
