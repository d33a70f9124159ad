import { commentTexts } from '@ovation/contract/texts/comments'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { mustRefetchAfterRemoval } from '../../lib/api/must-refetch-after-removal.ts'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { announce, toast } from '../../ui/toast.ts'
import {
  addComment,
  type Comment,
  type CommentOrder,
  changeComments,
  changeLists,
  commentsPageSize,
  commentsQuery,
  deleteComment,
  refreshComments,
} from './queries.ts'

/** Marks a comment that the server hasn't confirmed yet. */
const draftPrefix = 'draft:'
export const isDraft = (comment: Comment): boolean => comment.id.startsWith(draftPrefix)

type Posting = { viewer: Viewer; draft: Comment }

type Options = {
  postId: string
  order: CommentOrder
  /** Called when a comment is added or removed. */
  onCount: (step: number) => void
  /** Called with a comment that couldn't be posted. */
  onRefused: (draft: Comment) => void
}

/** Adds a comment optimistically, and removes it again if the server rejects it; deletes one after confirmation (POST-56..POST-60). */
export function useCommentActions({ postId, order, onCount, onRefused }: Options) {
  const queryClient = useQueryClient()
  const { queryKey } = commentsQuery(postId, order)

  const drop = (id: string) => changeComments(queryClient, postId, (shown) => (shown.id === id ? undefined : shown))

  /** Shows the draft above the other comments, or below the other replies, once they have loaded. Resolves then, or when they failed to load. */
  const place = async (draft: Comment): Promise<void> => {
    if (queryClient.getQueryData(queryKey)) await queryClient.cancelQueries({ queryKey: queryKey.slice(0, 2) })
    else await queryClient.ensureInfiniteQueryData(commentsQuery(postId, order)).catch(() => undefined)
    const { parent_id } = draft
    changeLists(queryClient, postId, (page, { index, last, repliesTo }) => {
      if (repliesTo) return last && repliesTo === parent_id ? [...page, draft] : page
      if (parent_id)
        return page.map((shown) =>
          shown.id === parent_id ? { ...shown, replies: [...(shown.replies ?? []), draft] } : shown,
        )
      const [first] = page
      if (index > 0) return page
      return first?.is_pinned ? [first, draft, ...page.slice(1)] : [draft, ...page]
    })
  }
  /** Replaces the draft. A refetch may have loaded the comment already. */
  const confirm = (draft: Comment, comment: Comment) => {
    drop(comment.id)
    changeComments(queryClient, postId, (shown) => (shown.id === draft.id ? comment : shown))
  }

  const posting = useMutation({
    mutationFn: ({ viewer, draft }: Posting) => addComment(postId, viewer.profileId, draft.content, draft.parent_id),
    onMutate: ({ draft }) => {
      onCount(1)
      return { placed: place(draft) }
    },
    onSuccess: async (comment, { draft }, { placed }) => {
      await placed
      confirm(draft, comment)
      if (!comment.is_held) return
      onCount(-1) // it counts once it is approved
      toast.success(commentTexts.heldHint)
    },
    onError: (error, { draft }, context) => {
      void context?.placed.then(() => drop(draft.id))
      onCount(-1)
      onRefused(draft)
      toast.error(isExplained(error) ? errorMessageOf(error) : commentTexts.postFailed)
    },
  })
  const post = (viewer: Viewer, content: string, parentId: string | null = null) =>
    posting.mutate({ viewer, draft: draftOf(viewer, content, parentId) })

  const deletion = useMutation({
    mutationFn: ({ id }: Comment) => deleteComment(id),
    onSuccess: (_nothing, { id, parent_id, replies, is_held }) => {
      const before = queryClient.getQueryData(queryKey)?.pages ?? []
      drop(id)
      // Further replies may have gone with it: the server knows how many.
      if (replies && replies.length > 0) void refreshComments(queryClient, postId)
      else if (!parent_id && mustRefetchAfterRemoval(id, before, commentsPageSize))
        void queryClient.invalidateQueries({ queryKey })
      if (!is_held) onCount(-1 - (replies?.length ?? 0))
      announce(commentTexts.deleted)
    },
    onError: () => toast.error(commentTexts.deleteFailed),
  })

  return { post, posting, deletion }
}

/** The server says why: too many comments, a rule of the creator, or a comment that is gone. */
const isExplained = (error: Error): boolean =>
  'code' in error && ['PT429', 'PT404', '42501'].includes(String(error.code)) && !error.message.includes('row-level')

function draftOf(viewer: Viewer, content: string, parent_id: string | null): Comment {
  return {
    id: `${draftPrefix}${crypto.randomUUID()}`,
    parent_id,
    content,
    created_at: new Date().toISOString(),
    likes_count: 0,
    is_pinned: false,
    is_held: false,
    author: {
      id: viewer.profileId,
      user_id: viewer.userId,
      username: viewer.username,
      display_name: viewer.displayName,
      avatar_url: viewer.avatarUrl,
      is_verified: viewer.isVerified,
      updated_at: '',
    },
    ...(parent_id === null && { replies: [] }),
  }
}
