import { Badge } from '@mantine/core'
import { paths } from '@ovation/contract/routes'
import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { Link } from 'react-router'
import { Ago } from '../../ui/ago.tsx'
import classes from './panel.module.css'
import postClasses from './post-rows.module.css'
import type { OwnPost } from './queries.ts'

const texts = dashboardTexts.content

/** The creator's posts, each leading to itself. */
export function PostRows({ posts }: { posts: OwnPost[] }) {
  return (
    <ul className={classes.rows}>
      {posts.map((post) => (
        <li key={post.id} className={classes.row}>
          <div className={classes.words}>
            <Link to={paths.post(post.id)} className={classes.primary}>
              {post.title || post.content || texts.untitled}
            </Link>
            <span className={classes.secondary}>{summaryOf(post)}</span>
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
        </li>
      ))}
    </ul>
  )
}

const summaryOf = ({ media_count, likes_count, comments_count }: OwnPost): string =>
  [media_count > 0 && texts.files(media_count), texts.likes(likes_count), texts.comments(comments_count)]
    .filter(Boolean)
    .join(' · ')
