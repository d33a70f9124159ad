import { createContext, use } from 'react'
import { nameOf } from '../../lib/auth/viewer.ts'
import type { MediaLinksState } from '../../lib/media/media-links.ts'
import { MediaGallery } from './media-gallery.tsx'
import type { Post } from './queries.ts'

/** Media links of a page of posts. They arrive after the posts, and re-render only components that show media. */
export const PostMediaLinks = createContext<MediaLinksState>({ links: new Map(), pending: true })

/** The media of an unlocked post. @param eager at the top of the screen, so it loads at once. */
export function PostMedia({ post, eager }: { post: Post; eager: boolean }) {
  return (
    <MediaGallery
      paths={post.media_urls}
      types={post.media_types}
      previews={post.media_previews}
      media={use(PostMediaLinks)}
      creator={nameOf(post.creator)}
      eager={eager}
    />
  )
}
