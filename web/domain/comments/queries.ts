import { infiniteQueryOptions } from '@tanstack/react-query'
import { type Byline, bylineColumns } from '../../lib/api/byline.ts'
import { keysetCursor } from '../../lib/api/keyset-cursor.ts'
import { supabase } from '../../lib/api/supabase.ts'

export type Comment = {
  id: string
  content: string
  created_at: string
  author: Byline
}

const columns = `id, content, created_at,
  author:profiles!user_id(${bylineColumns})` as const
export const commentsPageSize = 20

/**
 * A post's comments, newest first, in pages. The latest comments are the ones that still get replies, and the viewer's own appears next
 * to the form.
 */
export const commentsQuery = (postId: string) =>
  infiniteQueryOptions({
    queryKey: ['comments', postId],
    initialPageParam: undefined as Comment | undefined,
    getNextPageParam: (page: Comment[]) => (page.length < commentsPageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam }): Promise<Comment[]> => {
      let query = supabase.from('comments').select(columns).eq('post_id', postId)
      if (pageParam) query = query.or(keysetCursor(pageParam))
      const { data } = await query
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(commentsPageSize)
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })

/** Adds a comment (POST-56) and returns the stored row. */
export async function addComment(postId: string, authorId: string, content: string): Promise<Comment> {
  const { data } = await supabase
    .from('comments')
    .insert({ post_id: postId, user_id: authorId, content })
    .select(columns)
    .single()
    .throwOnError()
  return data
}

/** Deletes the viewer's own comment, or any as an admin (POST-57, POST-58). @throws when no row was deleted. */
export async function deleteComment(id: string): Promise<void> {
  const { count } = await supabase.from('comments').delete({ count: 'exact' }).eq('id', id).throwOnError()
  if (count === 0) throw new Error('nothing was deleted')
}
