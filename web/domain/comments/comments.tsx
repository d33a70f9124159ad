import { Anchor } from '@mantine/core'
import { commentTexts } from '@ovation/contract/texts/comments'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { signInPath } from '../../lib/auth/sign-in-path.ts'
import { useViewer } from '../../lib/auth/viewer.ts'
import { focusFirst } from '../../lib/browser/focus-first.ts'
import { useDraftText } from '../../lib/forms/use-draft-text.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { restrictedAmongQuery } from '../restrictions/restricted-query.ts'
import { CommentForm } from './comment-form.tsx'
import { CommentItem } from './comment-item.tsx'
import classes from './comments.module.css'
import { type Comment, commentsQuery } from './queries.ts'
import { useCommentActions } from './use-comment-actions.ts'
import { useLiveComments } from './use-live-comments.ts'

type Props = {
  postId: string
  /** The post's author. */
  creatorId: string
  /** Adjusts the post's count. */
  onCount: (step: 1 | -1) => void
  /** Called when other users' comments changed, and so maybe the post's count. */
  onRemoteChange: () => void
}

/** The comments of a post: the form, then the comments, newest first. Visitors can only read (POST-12, POST-56..POST-60). */
export function Comments({ postId, creatorId, onCount, onRemoteChange }: Props) {
  const viewer = useViewer()
  const comments = useInfiniteQuery(commentsQuery(postId))
  const [text, setText] = useDraftText(`comment ${postId}`)
  const [toDelete, setToDelete] = useState<Comment>()
  const list = useRef<HTMLDivElement>(null)
  const { post, posting, deletion } = useCommentActions({
    postId,
    onCount,
    // Unless the viewer has started another comment.
    onRefused: (content) => setText((current) => current || content),
  })
  useLiveComments({ postId, enabled: Boolean(viewer), isPosting: posting.isPending, onChange: onRemoteChange })

  const authors = [...new Set(comments.data?.pages.flat().map(({ author }) => author.id))]
    .filter((id) => id !== viewer?.profileId)
    .toSorted()
  const restricted = useQuery({
    ...restrictedAmongQuery(authors),
    enabled: Boolean(viewer?.mayPublish) && viewer?.profileId === creatorId && authors.length > 0,
    placeholderData: keepPreviousData,
  })

  if (comments.isError && !comments.data) return <LoadFailed order={3} title={commentTexts.loadFailed} of={comments} />

  const shown = comments.data?.pages.flat()
  const submit = (content: string) => {
    if (!viewer) return
    setText('')
    post(viewer, content)
  }
  const itemOf = (comment: Comment) => (
    <CommentItem
      key={comment.id}
      comment={comment}
      byCreator={comment.author.id === creatorId}
      isRestricted={restricted.data?.includes(comment.author.id)}
      viewer={viewer}
      onDelete={() => setToDelete(comment)}
    />
  )
  const confirmDeletion = (comment: Comment) =>
    deletion.mutate(comment, {
      // The button that opened the dialog is removed with its comment: keep the focus in the section.
      onSuccess: () => setTimeout(() => list.current?.focus({ preventScroll: true }), 0),
      onSettled: () => setToDelete(undefined),
    })

  const loadMore = () =>
    void comments.fetchNextPage().then(() =>
      setTimeout(() => {
        // A disabled or removed button loses the focus: move it to the first new comment, or to Retry. Not if the user has moved on.
        if (!document.activeElement?.matches('body, :disabled')) return
        focusFirst(list.current?.querySelectorAll('li, [role="alert"]')[shown?.length ?? 0])
      }),
    )

  return (
    <div ref={list} tabIndex={-1} className={classes.comments}>
      {viewer && <CommentForm viewer={viewer} text={text} onText={setText} onSubmit={submit} />}
      {viewer === null && <SignIn />}
      <p className="visually-hidden" role="status">
        {posting.isSuccess ? commentTexts.posted : ''}
      </p>
      {shown === undefined ? (
        <>
          {posting.isPending && <ul className={classes.list}>{itemOf(posting.variables.draft)}</ul>}
          <ListSkeleton rows={2} />
        </>
      ) : shown.length === 0 ? (
        <p className={classes.empty}>{viewer ? commentTexts.empty : commentTexts.emptyForVisitors}</p>
      ) : (
        <ul className={classes.list}>{shown.map(itemOf)}</ul>
      )}
      <LoadMore onClickOnly of={comments} onReach={loadMore} failure={commentTexts.loadMore} />
      {toDelete && (
        <ConfirmDialog
          title={commentTexts.deleteDialog.title}
          message={commentTexts.deleteDialog.message}
          confirmLabel={commentTexts.deleteDialog.confirm}
          pending={deletion.isPending}
          onConfirm={() => confirmDeletion(toDelete)}
          onClose={() => setToDelete(undefined)}
        />
      )}
    </div>
  )
}

function SignIn() {
  return (
    <p className={classes.signIn}>
      <Anchor component={Link} to={signInPath(useLocation())} inherit>
        {commentTexts.signIn}
      </Anchor>
    </p>
  )
}
