import { Title } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { postTexts } from '@ovation/contract/texts/posts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { furtherPostsQuery } from '../../domain/posts/open-posts.ts'
import { PostTiles } from '../../domain/posts/post-tile.tsx'
import type { Post } from '../../domain/posts/queries.ts'
import { addressOf, nameOf } from '../../lib/auth/viewer.ts'
import classes from './further-posts.module.css'

/** Below a post: the creator's newest posts, and the way to all of them. Nothing while they load, if they fail to, or if there are none. */
export default function FurtherPosts({ post }: { post: Post }) {
  const { data: posts = [] } = useQuery(furtherPostsQuery(post))
  if (posts.length === 0) return null
  return (
    <section aria-labelledby="further-posts" className={classes.further}>
      <Title order={2} id="further-posts" className={classes.heading} dir="auto">
        <Link to={paths.profile(addressOf(post.creator))}>{postTexts.moreFrom(nameOf(post.creator))}</Link>
      </Title>
      <PostTiles posts={posts} />
    </section>
  )
}
