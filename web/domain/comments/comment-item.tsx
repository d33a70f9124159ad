import { ActionIcon, Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { commentTexts } from '@ovation/contract/texts/comments'
import { restrictionTexts } from '@ovation/contract/texts/restrictions'
import { IconHeart, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { addressOf, nameOf, type Viewer } from '../../lib/auth/viewer.ts'
import { formatCompact } from '../../lib/format/format-number.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { Ago } from '../../ui/ago.tsx'
import { LinkedText } from '../../ui/linked-text.tsx'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { Tag } from '../../ui/tag.tsx'
import { VerifiedBadge } from '../../ui/verified-badge.tsx'
import { CommentLike } from './comment-like.tsx'
import { CommentMenu } from './comment-menu.tsx'
import classes from './comments.module.css'
import { approveComment } from './moderate.ts'
import type { Comment } from './queries.ts'
import { isDraft } from './use-comment-actions.ts'

type Props = {
  comment: Comment
  postId: string
  /** Whether the author of the post wrote it. */
  byCreator: boolean
  /** Whether the viewer is the author of the post. */
  isCreator: boolean
  /** Whether the viewer restricts its author; undefined for everyone but the creator of the post. */
  isRestricted: boolean | undefined
  liked: boolean
  viewer: Viewer | null | undefined
  onDelete: () => void
  /** Undefined where the viewer can't reply. */
  onReply: (() => void) | undefined
  /** The replies, and the form for one. */
  children?: ReactNode
}

/** One comment. Its author, the post's author, and admins can delete it (POST-57, POST-58, TALK-03). */
export function CommentItem(props: Props) {
  const { comment, postId, byCreator, isCreator, isRestricted, liked, viewer, onDelete, onReply, children } = props
  const { author } = comment
  const name = nameOf(author)
  const profile = paths.profile(addressOf(author))
  const own = viewer?.profileId === author.id
  const draft = isDraft(comment)
  const size = comment.parent_id ? 28 : 36
  return (
    <li className={classes.comment} data-draft={draft} data-reply={comment.parent_id !== null}>
      <Link to={profile} tabIndex={-1} aria-hidden="true" className={`reach ${classes.avatar}`}>
        <ProfileAvatar name={name} src={publicImage(author.avatar_url, author.updated_at)} size={size} />
      </Link>
      <div className={classes.line}>
        <Link to={profile} className={classes.name} dir="auto">
          {name}
        </Link>
        {author.is_verified && <VerifiedBadge />}
        {byCreator && <Tag>{commentTexts.creator}</Tag>}
        {comment.is_pinned && <Tag>{commentTexts.pinned}</Tag>}
        {comment.is_held && <Tag>{commentTexts.held}</Tag>}
        {isRestricted && <Tag>{restrictionTexts.tag}</Tag>}
        <span className={classes.when}>{draft ? commentTexts.posting : <Ago at={comment.created_at} />}</span>
      </div>
      {viewer && (!own || (isCreator && comment.parent_id === null)) && !draft && (
        <CommentMenu
          comment={comment}
          postId={postId}
          viewer={viewer}
          isCreator={isCreator}
          isRestricted={isRestricted}
        />
      )}
      {viewer && (own || isCreator || viewer.isAdmin) && !draft && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={own ? commentTexts.deleteOwn : commentTexts.delete(name)}
          title={commentTexts.deleteDialog.confirm}
          onClick={onDelete}
        >
          <IconTrash size={17} stroke={1.6} />
        </ActionIcon>
      )}
      <p className={classes.content} dir="auto">
        <LinkedText text={comment.content} names />
      </p>
      {!draft && (
        <Acts comment={comment} postId={postId} isCreator={isCreator} liked={liked} viewer={viewer} onReply={onReply} />
      )}
      {children && <div className={classes.below}>{children}</div>}
    </li>
  )
}

function Acts({
  comment,
  postId,
  isCreator,
  liked,
  viewer,
  onReply,
}: Pick<Props, 'comment' | 'postId' | 'isCreator' | 'liked' | 'viewer' | 'onReply'>) {
  const name = nameOf(comment.author)
  if (comment.is_held) return isCreator && <Approve id={comment.id} name={name} />
  const likes = comment.likes_count
  if (!viewer)
    return likes > 0 ? (
      <p className={classes.acts}>
        <span className={classes.act} role="img" aria-label={commentTexts.likes(formatCompact(likes))}>
          <IconHeart size={16} stroke={1.75} aria-hidden="true" />
          <span aria-hidden="true">{formatCompact(likes)}</span>
        </span>
      </p>
    ) : null
  return (
    <div className={classes.acts}>
      <CommentLike comment={comment} postId={postId} viewer={viewer} liked={liked} />
      {onReply && (
        <button
          type="button"
          className={`reach ${classes.act}`}
          aria-label={commentTexts.replyTo(name)}
          onClick={onReply}
        >
          {commentTexts.reply}
        </button>
      )}
    </div>
  )
}

function Approve({ id, name }: { id: string; name: string }) {
  const queryClient = useQueryClient()
  const [pending, setPending] = useState(false)
  const approve = () => {
    setPending(true)
    void approveComment(queryClient, id).then(() => setPending(false))
  }
  return (
    <div className={classes.acts}>
      <Button
        size="compact-sm"
        variant="default"
        loading={pending}
        onClick={approve}
        aria-label={commentTexts.approveNamed(name)}
      >
        {commentTexts.approve}
      </Button>
    </div>
  )
}
