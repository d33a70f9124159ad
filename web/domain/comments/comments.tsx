import { Anchor } from '@mantine/core'
import { commentTexts } from '@ovation/contract/texts/comments'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { signInPath } from '../../lib/auth/sign-in-path.ts'
import { nameOf, useViewer } from '../../lib/auth/viewer.ts'
import { focusFirst } from '../../lib/browser/focus-first.ts'
import { useDraftText } from '../../lib/forms/use-draft-text.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { restrictedAmongQuery } from '../restrictions/restricted-query.ts'
import { CommentForm } from './comment-form.tsx'
import { CommentItem } from './comment-item.tsx'
import classes from './comments.module.css'
import {
  type Comment,
  type CommentAccess,
  type CommentOrder,
  commentAccessQuery,
  commentsQuery,
  likedCommentsQuery,
} from './queries.ts'
import { Replies } from './replies.tsx'
import { isDraft, useCommentActions } from './use-comment-actions.ts'
import { useLiveComments } from './use-live-comments.ts'

type Props = {
  postId: string
  /** The post's author. */
  creatorId: string
  /** Adjusts the post's count. */
  onCount: (step: number) => void
  /** Called when other users' comments changed, and so maybe the post's count. */
  onRemoteChange: () => void
}

const orders: readonly CommentOrder[] = ['newest', 'oldest', 'likes']

/** The comments of a post: the form, then the comments, the pinned one first. Visitors can only read (POST-12, POST-56..POST-60, TALK-02). */
export function Comments({ postId, creatorId, onCount, onRemoteChange }: Props) {
  const viewer = useViewer()
  const [order, setOrder] = useState<CommentOrder>('newest')
  const comments = useInfiniteQuery({ ...commentsQuery(postId, order), placeholderData: keepPreviousData })
  const access = useQuery({ ...commentAccessQuery(postId, viewer?.profileId), enabled: Boolean(viewer) }).data
  const mayComment = Boolean(viewer) && access?.may_comment !== false
  const [text, setText] = useDraftText(`comment ${postId}`)
  const [replyText, setReplyText] = useState('')
  const [replyTo, setReplyTo] = useState<{ parent: Comment; name: string }>()
  const [toDelete, setToDelete] = useState<Comment>()
  const list = useRef<HTMLDivElement>(null)
  const { post, posting, deletion } = useCommentActions({
    postId,
    order,
    onCount,
    // Unless the viewer has started another one.
    onRefused: ({ content, parent_id }) => {
      if (parent_id === null) return setText((current) => current || content)
      const parent = comments.data?.pages.flat().find(({ id }) => id === parent_id)
      if (!parent) return
      setReplyText((current) => current || content)
      setReplyTo((current) => current ?? { parent, name: nameOf(parent.author) })
    },
  })
  useLiveComments({ postId, enabled: Boolean(viewer), isPosting: posting.isPending, onChange: onRemoteChange })

  const shown = comments.data?.pages.flat()
  const all = useMemo(
    () => comments.data?.pages.flat().flatMap((comment) => [comment, ...(comment.replies ?? [])]) ?? [],
    [comments.data],
  )
  const authors = [...new Set(all.map(({ author }) => author.id))]
    .filter((id) => id !== viewer?.profileId)
    .slice(0, 100)
    .toSorted()
  const isCreator = viewer?.profileId === creatorId
  const restricted = useQuery({
    ...restrictedAmongQuery(authors),
    enabled: Boolean(viewer?.mayPublish) && isCreator && authors.length > 0,
    placeholderData: keepPreviousData,
  })
  const likable = all.filter((comment) => !isDraft(comment)).map(({ id }) => id)
  const liked = useQuery({
    ...likedCommentsQuery(viewer?.profileId ?? '', likable),
    enabled: Boolean(viewer) && likable.length > 0,
    placeholderData: keepPreviousData,
  })

  if (comments.isError && !comments.data) return <LoadFailed order={3} title={commentTexts.loadFailed} of={comments} />

  const submit = (content: string) => {
    if (!viewer) return
    setText('')
    post(viewer, content)
  }
  const startReply = (parent: Comment, name: string, username: string | null) => {
    setReplyTo({ parent, name })
    // A reply to a reply names whom it answers.
    setReplyText((current) => current || (username ? `@${username} ` : ''))
  }
  const cancelReply = () => {
    setReplyTo(undefined)
    setReplyText('')
  }
  const submitReply = (content: string) => {
    if (!viewer || !replyTo) return
    cancelReply()
    post(viewer, content, replyTo.parent.id)
  }
  const mayReply = (comment: Comment) => mayComment && !comment.is_held && !isDraft(comment)
  const itemProps = (comment: Comment, liked: readonly string[] | undefined) => ({
    comment,
    postId,
    byCreator: comment.author.id === creatorId,
    isCreator,
    isRestricted: restricted.data?.includes(comment.author.id),
    liked: liked?.includes(comment.id) ?? false,
    viewer,
    onDelete: () => setToDelete(comment),
  })
  const itemOf = (comment: Comment) => {
    const name = nameOf(comment.author)
    const hasReplies = (comment.replies?.length ?? 0) > 0
    const isReplying = replyTo?.parent.id === comment.id
    return (
      <CommentItem
        key={comment.id}
        {...itemProps(comment, liked.data)}
        onReply={mayReply(comment) ? () => startReply(comment, name, null) : undefined}
      >
        {(hasReplies || isReplying) && (
          <>
            {hasReplies && (
              <Replies
                postId={postId}
                comment={comment}
                viewer={viewer}
                propsOf={itemProps}
                liked={liked.data}
                onReply={(reply) =>
                  mayReply(reply) ? () => startReply(comment, nameOf(reply.author), reply.author.username) : undefined
                }
              />
            )}
            {isReplying && viewer && (
              <CommentForm
                viewer={viewer}
                postId={postId}
                text={replyText}
                onText={setReplyText}
                onSubmit={submitReply}
                reply={{ name: replyTo.name, onCancel: cancelReply }}
              />
            )}
          </>
        )}
      </CommentItem>
    )
  }
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
        focusFirst(list.current?.querySelectorAll('[data-comments] > li, [role="alert"]')[shown?.length ?? 0])
      }),
    )

  return (
    <div ref={list} tabIndex={-1} className={classes.comments}>
      {viewer && mayComment && (
        <CommentForm viewer={viewer} postId={postId} text={text} onText={setText} onSubmit={submit} />
      )}
      {viewer && !mayComment && access && <p className={classes.closed}>{closedText(access)}</p>}
      {viewer === null && <SignIn />}
      <p className="visually-hidden" role="status">
        {posting.isSuccess ? commentTexts.posted : ''}
      </p>
      {shown && shown.length > 1 && (
        <div className={classes.order}>
          <SelectField
            label={commentTexts.sort.label}
            data={orders.map((value) => ({ value, label: commentTexts.sort[value] }))}
            value={order}
            onChange={setOrder}
          />
        </div>
      )}
      {shown === undefined ? (
        <>
          {posting.isPending && <ul className={classes.list}>{itemOf(posting.variables.draft)}</ul>}
          <ListSkeleton rows={2} />
        </>
      ) : shown.length === 0 ? (
        <p className={classes.empty}>{mayComment ? commentTexts.empty : commentTexts.emptyForVisitors}</p>
      ) : (
        <ul className={classes.list} data-comments>
          {shown.map(itemOf)}
        </ul>
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

function closedText({ commenters, plan_name }: CommentAccess): string {
  const { closed } = commentTexts
  if (commenters === 'plan') return plan_name ? closed.plan(plan_name) : closed.noPlan
  return closed[commenters]
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
