import { commentTexts } from '@ovation/contract/texts/comments'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ComponentProps, useRef, useState } from 'react'
import { nameOf, type Viewer } from '../../lib/auth/viewer.ts'
import { focusFirst } from '../../lib/browser/focus-first.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { CommentItem } from './comment-item.tsx'
import classes from './comments.module.css'
import { type Comment, firstReplies, likedCommentsQuery, repliesQuery } from './queries.ts'
import { isDraft } from './use-comment-actions.ts'

type ItemProps = Omit<ComponentProps<typeof CommentItem>, 'onReply' | 'children'>
type Props = {
  postId: string
  comment: Comment
  viewer: Viewer | null | undefined
  propsOf: (comment: Comment, liked: readonly string[] | undefined) => ItemProps
  /** Those of the first replies that the viewer likes. */
  liked: readonly string[] | undefined
  onReply: (reply: Comment) => (() => void) | undefined
}

/** The replies to a comment, oldest first (TALK-02): the first ones, and all of them after a press. */
export function Replies({ postId, comment, viewer, propsOf, liked, onReply }: Props) {
  const [isWhole, setWhole] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const query = useInfiniteQuery({ ...repliesQuery(postId, comment.id), enabled: isWhole })
  const whole = query.data?.pages.flat()
  const first = comment.replies ?? []
  const own = first.filter(isDraft)
  const shown = whole ?? [...first.filter((reply) => !isDraft(reply)).slice(0, firstReplies), ...own]
  const hasMore = !whole && first.length - own.length > firstReplies

  const likable = (whole ?? []).filter((reply) => !isDraft(reply)).map(({ id }) => id)
  const likedHere = useQuery({
    ...likedCommentsQuery(viewer?.profileId ?? '', likable),
    enabled: Boolean(viewer) && likable.length > 0,
    placeholderData: keepPreviousData,
  })
  const showAll = () => {
    setWhole(true)
    // The button disappears with the press: go on at the first new reply.
    void query.refetch().then(() => setTimeout(() => focusFirst(list.current?.children[firstReplies])))
  }
  return (
    <>
      <ul ref={list} className={classes.replies} aria-label={commentTexts.replies(nameOf(comment.author))}>
        {shown.map((reply) => (
          <CommentItem key={reply.id} {...propsOf(reply, whole ? likedHere.data : liked)} onReply={onReply(reply)} />
        ))}
      </ul>
      {hasMore && (
        <button type="button" className={`reach ${classes.moreReplies}`} onClick={showAll}>
          {commentTexts.moreReplies}
        </button>
      )}
      {query.isError && !whole && (
        <p className={classes.empty} role="alert">
          {commentTexts.repliesFailed}
        </p>
      )}
      {whole && <LoadMore onClickOnly of={query} failure={commentTexts.repliesFailed} />}
    </>
  )
}
