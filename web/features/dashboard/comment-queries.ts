import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { heldCommentsKey } from '../../domain/comments/moderate.ts'
import { type Byline, bylineColumns } from '../../lib/api/byline.ts'
import { supabase } from '../../lib/api/supabase.ts'

export type CommentSettings = { commenters: string; plan_id: string | null; blocked_words: string[] }

/** A creator's rules for comments (TALK-02, TALK-03). Without a row, the defaults apply. */
export const commentSettingsQuery = (creatorId: string) =>
  queryOptions({
    queryKey: ['comment-settings', creatorId],
    queryFn: async ({ signal }): Promise<CommentSettings> => {
      const { data } = await supabase
        .from('comment_settings')
        .select('commenters, plan_id, blocked_words')
        .eq('creator_id', creatorId)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data ?? { commenters: 'everyone', plan_id: null, blocked_words: [] }
    },
  })

export type HeldComment = {
  id: string
  content: string
  created_at: string
  author: Byline
  post: { id: string; title: string | null } | null
}

const pageSize = 20

/** The comments on the viewer's posts that wait for review, newest first (TALK-03). */
export const heldCommentsQuery = (creatorId: string) =>
  infiniteQueryOptions({
    queryKey: [...heldCommentsKey, creatorId],
    initialPageParam: undefined as HeldComment | undefined,
    getNextPageParam: (page: HeldComment[]) => (page.length < pageSize ? undefined : page.at(-1)),
    queryFn: async ({ signal, pageParam: last }): Promise<HeldComment[]> => {
      const { data } = await supabase
        .rpc(
          'get_held_comments',
          { page_size: pageSize, ...(last && { before: last.created_at, before_id: last.id }) },
          { get: true },
        )
        .select(`id, content, created_at, author:profiles!user_id(${bylineColumns}), post:posts(id, title)`)
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<HeldComment[], { merge: false }>()
      return data
    },
  })
