import { Skeleton } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { postTexts } from '@ovation/contract/texts/posts'
import { lazy, memo, Suspense, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { nameOf, useViewer } from '../../lib/auth/viewer.ts'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import joy from '../../ui/moments.module.css'
import { LockedPost } from './locked-post.tsx'
import { PostActions } from './post-actions.tsx'
import classes from './post-card.module.css'
import { PostContent } from './post-content.tsx'
import { PostHeader } from './post-header.tsx'
import { PostMedia } from './post-media.tsx'
import { PostMenu } from './post-menu.tsx'
import type { Post } from './queries.ts'
import { useSeen } from './use-count-views.ts'

const PostComments = lazy(() => import('./post-comments.tsx'))
// Only on a post that an admin has written about.
const PostNote = lazy(() => import('./post-note.tsx').then((module) => ({ default: module.PostNote })))
const PostPoll = lazy(() => import('./post-poll.tsx'))

type Props = {
  post: Post
  /** On its own screen, the title is the page's heading, the text isn't shortened, and the comments are open. */
  alone?: boolean
}

/**
 * A post, in every state that a viewer can see it in (POST-01..POST-14). Needs `PostMediaLinks` and `Reactions` around it. Memoized: it
 * re-renders only when it has changed.
 */
export const PostCard = memo(function PostCard({ post, alone = false }: Props) {
  const viewer = useViewer()
  const name = nameOf(post.creator)
  const Heading = alone ? 'h1' : 'h2'
  const own = viewer?.profileId === post.creator_id
  // An unlocked pay-per-view post of another user is a purchase, except for admins (POST-44).
  const bought = post.post_type === 'ppv' && !post.is_locked && viewer != null && !own && !viewer.isAdmin
  const [open, setOpen] = useState(alone)
  // Unlocked in front of the viewer, by a payment (LOOP-27).
  const [wasLocked] = useState(post.is_locked)
  const unlocked = wasLocked && !post.is_locked ? (joy.reveal ?? '') : ''
  const sectionId = useId()
  const card = useRef<HTMLElement>(null)
  useSeen(card, post.id, viewer != null && !own && !post.is_locked)
  return (
    <article ref={card} className={`surface ${classes.card}`} data-alone={alone} aria-label={postTexts.by(name)}>
      {post.admin_note && (
        <Suspense>
          <PostNote note={post.admin_note} hidden={own && !post.admin_note_is_public} />
        </Suspense>
      )}
      <PostHeader post={post} bought={bought} menu={<PostMenu post={post} own={own} />} />
      <div className={`${classes.body} ${unlocked}`}>
        {post.title && (
          <Heading className={classes.title} dir="auto">
            {alone ? post.title : <Link to={paths.post(post.id)}>{post.title}</Link>}
          </Heading>
        )}
        {post.content && <PostContent content={post.content} locked={post.is_locked} whole={alone} />}
        {post.poll && (
          <Suspense fallback={<Skeleton height={190} mt="sm" />}>
            <PostPoll poll={post.poll} postId={post.id} />
          </Suspense>
        )}
      </div>
      {post.is_locked ? (
        <LockedPost post={post} primary={alone} />
      ) : (
        <div className={unlocked}>
          <PostMedia post={post} place={alone ? 'page' : 'list'} />
        </div>
      )}
      <PostActions post={post} comments={{ open, toggle: () => setOpen(!open), sectionId }} />
      {open && !post.is_locked && (
        <section id={sectionId} className={classes.comments} aria-label={postTexts.commentsToggle}>
          <Suspense fallback={<ListSkeleton rows={2} />}>
            <PostComments postId={post.id} creatorId={post.creator_id} />
          </Suspense>
        </section>
      )}
    </article>
  )
})
