import { ActionIcon } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { commentTexts } from '@ovation/contract/texts/comments'
import { restrictionTexts } from '@ovation/contract/texts/restrictions'
import { IconTrash } from '@tabler/icons-react'
import { Link } from 'react-router'
import { addressOf, nameOf, type Viewer } from '../../lib/auth/viewer.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { Ago } from '../../ui/ago.tsx'
import { LinkedText } from '../../ui/linked-text.tsx'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { Tag } from '../../ui/tag.tsx'
import { VerifiedBadge } from '../../ui/verified-badge.tsx'
import { CommentMenu } from './comment-menu.tsx'
import classes from './comments.module.css'
import type { Comment } from './queries.ts'
import { isDraft } from './use-comment-actions.ts'

type Props = {
  comment: Comment
  /** Whether the author of the post wrote it. */
  byCreator: boolean
  /** Whether the viewer restricts its author; undefined for everyone but the creator of the post. */
  isRestricted: boolean | undefined
  viewer: Viewer | null | undefined
  onDelete: () => void
}

/** One comment. Its author and admins can delete it (POST-57, POST-58). */
export function CommentItem({ comment, byCreator, isRestricted, viewer, onDelete }: Props) {
  const { author } = comment
  const name = nameOf(author)
  const profile = paths.profile(addressOf(author))
  const own = viewer?.profileId === author.id
  const draft = isDraft(comment)
  return (
    <li className={classes.comment} data-draft={draft}>
      <Link to={profile} tabIndex={-1} aria-hidden="true" className={`reach ${classes.avatar}`}>
        <ProfileAvatar name={name} src={publicImage(author.avatar_url, author.updated_at)} size={36} />
      </Link>
      <div className={classes.line}>
        <Link to={profile} className={classes.name} dir="auto">
          {name}
        </Link>
        {author.is_verified && <VerifiedBadge />}
        {byCreator && <Tag>{commentTexts.creator}</Tag>}
        {isRestricted && <Tag>{restrictionTexts.tag}</Tag>}
        <span className={classes.when}>{draft ? commentTexts.posting : <Ago at={comment.created_at} />}</span>
      </div>
      {!own && viewer && !draft && (
        <CommentMenu id={comment.id} author={{ id: author.id, name }} viewer={viewer} isRestricted={isRestricted} />
      )}
      {(own || viewer?.isAdmin) && !draft && (
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
        <LinkedText text={comment.content} />
      </p>
    </li>
  )
}
