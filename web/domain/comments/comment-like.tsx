import { commentTexts } from '@ovation/contract/texts/comments'
import { IconHeart, IconHeartFilled } from '@tabler/icons-react'
import { MutationObserver, useQueryClient } from '@tanstack/react-query'
import { nameOf, type Viewer } from '../../lib/auth/viewer.ts'
import { formatCompact } from '../../lib/format/format-number.ts'
import { toast } from '../../ui/toast.ts'
import classes from './comments.module.css'
import { type Comment, changeComments, saveLike, showLike } from './queries.ts'

type Props = { comment: Comment; postId: string; viewer: Viewer; liked: boolean }

/** Likes a comment or takes that back, at once (TALK-02). */
export function CommentLike({ comment, postId, viewer, liked }: Props) {
  const queryClient = useQueryClient()
  const { id, likes_count } = comment
  const show = (on: boolean) => {
    showLike(queryClient, viewer.profileId, id, on)
    changeComments(queryClient, postId, (shown) =>
      shown.id === id ? { ...shown, likes_count: Math.max(0, shown.likes_count + (on ? 1 : -1)) } : shown,
    )
  }
  const set = (on: boolean) => {
    show(on)
    // In order, so that the last press decides.
    const change = new MutationObserver(queryClient, {
      scope: { id: `comment like ${id}` },
      mutationFn: () => saveLike(viewer.profileId, id, on),
      onError: () => {
        show(!on)
        toast.error(commentTexts.likeFailed)
      },
    })
    void change.mutate().catch(() => undefined) // onError has reported it
  }
  const own = comment.author.id === viewer.profileId
  return (
    <button
      type="button"
      className={`reach ${classes.act}`}
      aria-pressed={liked}
      aria-label={own ? commentTexts.likeOwn : commentTexts.like(nameOf(comment.author))}
      onClick={() => set(!liked)}
    >
      {liked ? (
        <IconHeartFilled size={16} aria-hidden="true" />
      ) : (
        <IconHeart size={16} stroke={1.75} aria-hidden="true" />
      )}
      {likes_count > 0 && <span>{formatCompact(likes_count)}</span>}
    </button>
  )
}
