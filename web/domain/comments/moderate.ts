import { commentTexts } from '@ovation/contract/texts/comments'
import type { QueryClient } from '@tanstack/react-query'
import { supabase } from '../../lib/api/supabase.ts'
import { toast } from '../../ui/toast.ts'
import { postsKey } from '../posts/queries.ts'
import { type Comment, refreshComments } from './queries.ts'

/** The comments of all of a creator's posts that wait for review. */
export const heldCommentsKey = ['held-comments'] as const

/** Pins a comment instead of the one that was, or unpins it (TALK-02). */
export async function pinComment(queryClient: QueryClient, postId: string, { id, is_pinned }: Comment): Promise<void> {
  const { error } = await supabase.rpc('pin_comment', { comment_id: id, is_pinned: !is_pinned })
  if (error) return toast.error(commentTexts.pinFailed)
  await refreshComments(queryClient, postId)
  toast.success(is_pinned ? commentTexts.unpinDone : commentTexts.pinDone)
}

/** Publishes a comment that waits for review (TALK-03). @returns whether it did. */
export async function approveComment(queryClient: QueryClient, id: string): Promise<boolean> {
  const { error } = await supabase.rpc('approve_comment', { comment_id: id })
  if (error) toast.error(commentTexts.approveFailed)
  else toast.success(commentTexts.approved)
  for (const queryKey of [['comments'], heldCommentsKey, postsKey]) void queryClient.invalidateQueries({ queryKey })
  return !error
}

/** Deletes all comments of a user under the viewer's posts (TALK-03). @returns how many of theirs. */
export async function removeAllComments(queryClient: QueryClient, profileId: string): Promise<number> {
  const { data } = await supabase.rpc('remove_comments_of', { profile_id: profileId }).throwOnError()
  for (const queryKey of [['comments'], heldCommentsKey, postsKey]) void queryClient.invalidateQueries({ queryKey })
  return data
}
