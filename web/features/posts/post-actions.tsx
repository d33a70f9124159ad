import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/routes'
import { postTexts } from '@ovation/contract/texts/posts'
import { IconHeart, IconMessageCircle, IconShare3, IconTrash } from '@tabler/icons-react'
import { formatCompact, formatCount } from '../../lib/format.ts'
import { share } from '../../lib/share.ts'
import { nameOf } from '../../lib/viewer.ts'
import { DeletePost } from './delete-post.tsx'
import classes from './post-actions.module.css'
import type { Post } from './queries.ts'

type Props = { post: Post; own: boolean; mayDelete: boolean }

/** Counts on the left, what one can do on the right (POST-04..POST-07). */
export function PostActions({ post, own, mayDelete }: Props) {
  const title = post.title ?? postTexts.by(nameOf(post.creator))
  return (
    <footer className={classes.actions}>
      <span className={classes.count} title={postTexts.likes(formatCount(post.likes_count))}>
        <IconHeart size={20} stroke={1.6} aria-hidden="true" />
        <span className="visually-hidden">{postTexts.likes(formatCount(post.likes_count))}</span>
        <span aria-hidden="true">{formatCompact(post.likes_count)}</span>
      </span>
      <span className={classes.count} title={postTexts.comments(formatCount(post.comments_count))}>
        <IconMessageCircle size={20} stroke={1.6} aria-hidden="true" />
        <span className="visually-hidden">{postTexts.comments(formatCount(post.comments_count))}</span>
        <span aria-hidden="true">{formatCompact(post.comments_count)}</span>
      </span>
      <div className={classes.buttons}>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          className={classes.button}
          leftSection={<IconShare3 size={18} stroke={1.6} />}
          onClick={() => void share({ title, path: paths.post(post.id) })}
        >
          {postTexts.share}
        </Button>
        {mayDelete && (
          <DeletePost post={post} own={own}>
            {(ask) => (
              <Button
                variant="subtle"
                color="gray"
                size="compact-sm"
                className={classes.button}
                leftSection={<IconTrash size={18} stroke={1.6} />}
                onClick={ask}
              >
                {postTexts.delete}
              </Button>
            )}
          </DeletePost>
        )}
      </div>
    </footer>
  )
}
