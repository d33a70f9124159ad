import { Badge } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { type ComponentProps, lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { useViewer } from '../../lib/auth/viewer.ts'
import { formatCents, pluralize } from '../../lib/format/format-number.ts'
import { Ago } from '../../ui/ago.tsx'
import classes from './panel.module.css'
import { PostActions } from './post-actions.tsx'
import type { OwnPost } from './post-queries.ts'
import postClasses from './post-rows.module.css'

// Loads beside the rows, which can be read at once.
const RowPicture = lazy(() => import('./row-picture.tsx'))

const texts = dashboardTexts.content

/** The creator's posts, each with its link, figures, and actions. */
export function PostRows({ posts }: { posts: OwnPost[] }) {
  return (
    <ul className={classes.rows}>
      {posts.map((post) => (
        <PostRow key={post.id} post={post} among={posts} />
      ))}
    </ul>
  )
}

type RowProps = ComponentProps<'li'> & {
  post: OwnPost
  /** The posts whose pictures are requested together. */
  among: OwnPost[]
}

export function PostRow({ post, among, ...attributes }: RowProps) {
  const profileId = useViewer()?.profileId ?? ''
  return (
    <li {...attributes} className={`${classes.row} ${postClasses.row}`}>
      <span className={postClasses.picture} data-text={post.media_urls.length === 0} aria-hidden="true">
        <Suspense>
          <RowPicture post={post} among={among} />
        </Suspense>
      </span>
      <div className={classes.text}>
        <Link to={paths.post(post.id)} className={classes.primary} dir="auto">
          {post.title || post.content || texts.untitled}
        </Link>
        <span className={`${postClasses.summary} facts`}>
          {factsOf(post).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </span>
      </div>
      <div className={postClasses.marks}>
        {post.is_pinned && <Badge variant="default">{texts.pinned}</Badge>}
        <Badge variant="light" color={post.post_type === 'free' ? 'gray' : 'crimson'} data-kind={post.post_type}>
          {texts.kinds[post.post_type]}
        </Badge>
      </div>
      <span className={classes.when}>
        <Ago at={post.created_at} />
      </span>
      <PostActions post={post} profileId={profileId} />
    </li>
  )
}

const factsOf = ({ media_count, likes_count, comments_count, figures }: OwnPost): string[] =>
  [
    media_count > 0 && pluralize(media_count, texts.file),
    figures && pluralize(figures.views ?? 0, texts.view),
    pluralize(likes_count, texts.like),
    pluralize(comments_count, texts.comment),
    Number(figures?.earnings ?? 0) !== 0 && texts.earned(formatCents(Number(figures?.earnings))),
  ].filter((fact) => typeof fact === 'string')
