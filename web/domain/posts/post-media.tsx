import { createContext, use } from 'react'
import { nameOf } from '../../lib/auth/viewer.ts'
import type { MediaLinksState } from '../../lib/media/media-links.ts'
import { MediaGallery } from './media-gallery.tsx'
import type { MediaPlace } from './post-image.tsx'
import type { Post } from './queries.ts'

/** Media links of a page of posts. They arrive after the posts, and re-render only components that show media. */
export const PostMediaLinks = createContext<MediaLinksState>({ links: new Map(), pending: true })

/** The media of an unlocked post. */
export function PostMedia({ post, place }: { post: Post; place: MediaPlace }) {
  return (
    <MediaGallery
      paths={post.media_urls}
      types={post.media_types}
      previews={post.media_previews}
      media={use(PostMediaLinks)}
      creator={nameOf(post.creator)}
      place={place}
    />
  )
}
