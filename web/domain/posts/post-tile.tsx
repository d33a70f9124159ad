import { Skeleton } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { postTexts } from '@ovation/contract/texts/posts'
import { IconPlayerPlay } from '@tabler/icons-react'
import { Link } from 'react-router'
import { type MediaLinksState, useMediaLinks } from '../../lib/media/media-links.ts'
import { PostImage } from './post-image.tsx'
import classes from './post-tile.module.css'
import type { Post } from './queries.ts'

/** Up to three unlocked posts beside each other. */
export function PostTiles({ posts }: { posts: Post[] }) {
  const media = useMediaLinks(posts.flatMap(({ media_urls: [first] }) => first ?? []))
  return (
    <div className={classes.tiles}>
      {posts.map((post) => (
        <PostTile key={post.id} post={post} media={media} />
      ))}
    </div>
  )
}

/** A post's first picture, or the start of its text. The whole tile links to the post. */
function PostTile({ post, media }: { post: Post; media: MediaLinksState }) {
  const [path] = post.media_urls
  const link = path && media.links.get(path)
  const isVideo = post.media_types[0] === 'video'
  const name = post.title ?? post.content?.split('\n', 1)[0] ?? postTexts.openPost
  return (
    <Link to={paths.post(post.id)} className={classes.tile}>
      <span className={classes.picture}>
        {path === undefined ? (
          <span className={classes.text} dir="auto" aria-hidden="true">
            {post.content}
          </span>
        ) : media.pending ? (
          <Skeleton height="100%" radius={0} />
        ) : (
          <PostImage url={link} alt="" share={1 / 3} focus={post.media_previews[0]?.focus} />
        )}
        {isVideo && (
          <span className={classes.play}>
            <IconPlayerPlay size={24} stroke={1.6} aria-hidden="true" />
          </span>
        )}
      </span>
      <span className={classes.title} dir="auto">
        {name}
      </span>
    </Link>
  )
}
