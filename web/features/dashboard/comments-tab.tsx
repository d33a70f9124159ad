import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { commentTexts } from '@ovation/contract/texts/comments'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { approveComment } from '../../domain/comments/moderate.ts'
import { deleteComment } from '../../domain/comments/queries.ts'
import { addressOf, nameOf } from '../../lib/auth/viewer.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { Ago } from '../../ui/ago.tsx'
import { LinkedText } from '../../ui/linked-text.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { toast } from '../../ui/toast.ts'
import { commentSettingsQuery, type HeldComment, heldCommentsQuery } from './comment-queries.ts'
import { CommentSettingsForm } from './comment-settings-form.tsx'
import classes from './comments-tab.module.css'
import earnings from './earnings.module.css'
import panelClasses from './panel.module.css'

const { queue: texts, settings } = commentTexts

/** The comments that wait for the creator's review, and the creator's rules for comments (TALK-02, TALK-03). */
export default function CommentsTab({ profileId }: { profileId: string }) {
  const rules = useQuery(commentSettingsQuery(profileId))
  return (
    <>
      <Queue profileId={profileId} />
      {rules.isError && !rules.data ? (
        <LoadFailed title={settings.loadFailed} of={rules} />
      ) : rules.data ? (
        <CommentSettingsForm creatorId={profileId} settings={rules.data} />
      ) : (
        <ListSkeleton rows={3} shape="card" />
      )}
    </>
  )
}

/** Nothing is shown while nothing waits. */
function Queue({ profileId }: { profileId: string }) {
  const held = useInfiniteQuery(heldCommentsQuery(profileId))
  const heading = useRef<HTMLHeadingElement>(null)
  if (held.isError && !held.data) return <LoadFailed title={texts.loadFailed} of={held} />
  const comments = held.data?.pages.flat() ?? []
  if (comments.length === 0) return null
  return (
    <section className={`surface ${panelClasses.panel} ${classes.queue}`} aria-labelledby="held">
      <h2 id="held" ref={heading} tabIndex={-1} className={`${earnings.heading} ${classes.heading}`}>
        {texts.title}
      </h2>
      <p className={classes.hint}>{texts.hint}</p>
      <ul className={classes.list}>
        {comments.map((comment) => (
          <Held key={comment.id} comment={comment} onDone={() => heading.current?.focus()} />
        ))}
      </ul>
      <LoadMore onClickOnly of={held} failure={texts.loadMore} />
    </section>
  )
}

function Held({ comment, onDone }: { comment: HeldComment; onDone: () => void }) {
  const queryClient = useQueryClient()
  const [pending, setPending] = useState<'approve' | 'delete'>()
  const { author, post } = comment
  const name = nameOf(author)
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['held-comments'] })
  const approve = async () => {
    setPending('approve')
    if (await approveComment(queryClient, comment.id)) {
      await refresh()
      onDone()
    }
    setPending(undefined)
  }
  const remove = async () => {
    setPending('delete')
    try {
      await deleteComment(comment.id)
      toast.success(commentTexts.deleted)
      await refresh()
      onDone()
    } catch {
      toast.error(commentTexts.deleteFailed)
    }
    setPending(undefined)
  }
  return (
    <li className={classes.row}>
      <ProfileAvatar name={name} src={publicImage(author.avatar_url, author.updated_at)} size={36} />
      <div className={classes.words}>
        <p className={classes.by}>
          <Link to={paths.profile(addressOf(author))} dir="auto">
            {name}
          </Link>{' '}
          <Ago at={comment.created_at} />
        </p>
        <p className={classes.text} dir="auto">
          <LinkedText text={comment.content} names />
        </p>
        {post && (
          <p className={classes.by}>
            {texts.on} <Link to={paths.post(post.id)}>{post.title ?? texts.post}</Link>
          </p>
        )}
      </div>
      <div className={classes.actions}>
        <Button
          size="compact-sm"
          variant="default"
          loading={pending === 'approve'}
          disabled={pending === 'delete'}
          onClick={() => void approve()}
          aria-label={commentTexts.approveNamed(name)}
        >
          {commentTexts.approve}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          loading={pending === 'delete'}
          disabled={pending === 'approve'}
          onClick={() => void remove()}
          aria-label={commentTexts.delete(name)}
        >
          {commentTexts.deleteDialog.confirm}
        </Button>
      </div>
    </li>
  )
}
