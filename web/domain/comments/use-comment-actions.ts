import { commentTexts } from '@ovation/contract/texts/comments'
import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query'
import { mustRefetchAfterRemoval } from '../../lib/api/must-refetch-after-removal.ts'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { announce, toast } from '../../ui/toast.ts'
import { addComment, type Comment, commentsPageSize, commentsQuery, deleteComment } from './queries.ts'

/** Marks a comment that the server hasn't confirmed yet. */
const draftPrefix = 'draft:'
export const isDraft = (comment: Comment): boolean => comment.id.startsWith(draftPrefix)

type Posting = { viewer: Viewer; draft: Comment }

type Options = {
  postId: string
  /** Called when a comment is added or removed. */
  onCount: (step: 1 | -1) => void
  /** Called with the text of a comment that couldn't be posted. */
  onRefused: (content: string) => void
}

/** Adds a comment optimistically, and removes it again if the server rejects it; deletes one after confirmation (POST-56..POST-60). */
export function useCommentActions({ postId, onCount, onRefused }: Options) {
  const queryClient = useQueryClient()
  const { queryKey } = commentsQuery(postId)

  const change = (map: (page: Comment[], index: number) => Comment[]) =>
    queryClient.setQueryData<InfiniteData<Comment[], Comment | undefined>>(
      queryKey,
      (data) => data && { ...data, pages: data.pages.map(map) },
    )
  const drop = (id: string) => change((page) => page.filter((comment) => comment.id !== id))

  /** Shows the draft above the other comments, once they have loaded. Resolves then, or when they failed to load. */
  const place = async (draft: Comment): Promise<void> => {
    if (queryClient.getQueryData(queryKey)) await queryClient.cancelQueries({ queryKey })
    else await queryClient.ensureInfiniteQueryData(commentsQuery(postId)).catch(() => undefined)
    change((page, index) => (index === 0 ? [draft, ...page] : page))
  }
  /** Replaces the draft. A refetch may have loaded the comment already. */
  const confirm = (draft: Comment, comment: Comment) =>
    change((page) =>
      page.filter(({ id }) => id !== comment.id).map((shown) => (shown.id === draft.id ? comment : shown)),
    )

  const posting = useMutation({
    mutationFn: ({ viewer, draft }: Posting) => addComment(postId, viewer.profileId, draft.content),
    onMutate: ({ draft }) => {
      onCount(1)
      return { placed: place(draft) }
    },
    onSuccess: async (comment, { draft }, { placed }) => {
      await placed
      confirm(draft, comment)
    },
    onError: (_error, { draft }, context) => {
      void context?.placed.then(() => drop(draft.id))
      onCount(-1)
      onRefused(draft.content)
      toast.error(commentTexts.postFailed)
    },
  })
  const post = (viewer: Viewer, content: string) => posting.mutate({ viewer, draft: draftOf(viewer, content) })

  const deletion = useMutation({
    mutationFn: ({ id }: Comment) => deleteComment(id),
    onSuccess: (_nothing, { id }) => {
      const before = queryClient.getQueryData(queryKey)?.pages ?? []
      drop(id)
      if (mustRefetchAfterRemoval(id, before, commentsPageSize)) void queryClient.invalidateQueries({ queryKey })
      onCount(-1)
      announce(commentTexts.deleted)
    },
    onError: () => toast.error(commentTexts.deleteFailed),
  })

  return { post, posting, deletion }
}

function draftOf(viewer: Viewer, content: string): Comment {
  return {
    id: `${draftPrefix}${crypto.randomUUID()}`,
    content,
    created_at: new Date().toISOString(),
    author: {
      id: viewer.profileId,
      user_id: viewer.userId,
      username: viewer.username,
      display_name: viewer.displayName,
      avatar_url: viewer.avatarUrl,
      is_verified: viewer.isVerified,
      updated_at: '',
    },
  }
}
