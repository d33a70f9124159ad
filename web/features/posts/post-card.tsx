import { Title } from '@mantine/core'
import { paths } from '@ovation/contract/routes'
import { postTexts } from '@ovation/contract/texts/posts'
import { Link } from 'react-router'
import type { MediaLinksState } from '../../lib/media-links.ts'
import { nameOf, useViewer } from '../../lib/viewer.ts'
import { LockedPost } from './locked-post.tsx'
import { MediaGallery } from './media-gallery.tsx'
import { PostActions } from './post-actions.tsx'
import classes from './post-card.module.css'
import { PostContent } from './post-content.tsx'
import { PostHeader } from './post-header.tsx'
import type { Post } from './queries.ts'

type Props = {
  post: Post
  media: MediaLinksState
  /** On its own screen the title is the page's heading and the whole text shows. */
  alone?: boolean
}

/** One post, in every state that it can have for a viewer (POST-01..POST-14). */
export function PostCard({ post, media, alone = false }: Props) {
  const viewer = useViewer()
  const name = nameOf(post.creator)
  const own = viewer?.profileId === post.creator_id
  return (
    <article className={`surface ${classes.card}`} aria-label={postTexts.by(name)}>
      <PostHeader post={post} />
      <div className={classes.body}>
        {post.title && (
          <Title order={alone ? 1 : 2} className={classes.title}>
            {alone ? post.title : <Link to={paths.post(post.id)}>{post.title}</Link>}
          </Title>
        )}
        {post.content && <PostContent content={post.content} cut={post.is_locked} whole={alone} />}
      </div>
      {post.is_locked ? (
        <LockedPost post={post} />
      ) : (
        <MediaGallery paths={post.media_urls} types={post.media_types} media={media} creator={name} eager={alone} />
      )}
      <PostActions post={post} own={own} mayDelete={own || viewer?.isAdmin === true} />
    </article>
  )
}
