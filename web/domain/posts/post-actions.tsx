import { paths } from '@ovation/contract/paths'
import { payingTexts } from '@ovation/contract/texts/paying'
import { postTexts } from '@ovation/contract/texts/posts'
import { IconGift, IconHeart, IconMessageCircle, IconShare3 } from '@tabler/icons-react'
import { nameOf } from '../../lib/auth/viewer.ts'
import { formatCompact, formatCount } from '../../lib/format/format-number.ts'
import { share } from '../../ui/share.ts'
import { GiveTip } from '../payments/give-tip.tsx'
import { LikeButton, likesOf } from './like-button.tsx'
import { PostAction } from './post-action.tsx'
import classes from './post-actions.module.css'
import type { Post } from './queries.ts'
import { SaveButton } from './save-button.tsx'

type Props = {
  post: Post
  comments: { open: boolean; toggle: () => void; sectionId: string }
}

const icon = { size: 20, stroke: 1.6, 'aria-hidden': true } as const

/** Likes and comments on the left, other actions on the right (POST-04..POST-06, POST-12). */
export function PostActions({ post, comments }: Props) {
  const title = post.title ?? postTexts.by(nameOf(post.creator))
  const commentsCount = {
    shown: formatCompact(post.comments_count),
    inWords: postTexts.comments(formatCount(post.comments_count), post.comments_count === 1),
  }
  return (
    <footer className={classes.actions}>
      {post.is_locked ? (
        // Hidden while locked: the server rejects reactions to a post that the viewer can't see.
        <>
          <Count icon={<IconHeart {...icon} />} {...likesOf(post)} />
          <Count icon={<IconMessageCircle {...icon} />} {...commentsCount} />
        </>
      ) : (
        <>
          <LikeButton post={post} />
          <PostAction
            icon={<IconMessageCircle {...icon} />}
            label={postTexts.commentsToggle}
            count={commentsCount}
            aria-expanded={comments.open}
            aria-controls={comments.open ? comments.sectionId : undefined}
            onClick={comments.toggle}
          />
        </>
      )}
      <div className={classes.buttons}>
        {post.creator.is_verified && (
          <GiveTip target={{ creatorId: post.creator_id, name: nameOf(post.creator), postId: post.id }}>
            {(open) => (
              <PostAction icon={<IconGift {...icon} size={19} />} label={payingTexts.tip.open} onClick={open} />
            )}
          </GiveTip>
        )}
        <SaveButton postId={post.id} />
        <PostAction
          icon={<IconShare3 {...icon} size={19} />}
          label={postTexts.share}
          onClick={() => void share({ title, path: paths.post(post.id) })}
        />
      </div>
    </footer>
  )
}

function Count({ icon, shown, inWords }: { icon: React.ReactNode; shown: string; inWords: string }) {
  return (
    <span className={classes.count} title={inWords}>
      {icon}
      <span className="visually-hidden">{inWords}</span>
      <span aria-hidden="true">{shown}</span>
    </span>
  )
}
