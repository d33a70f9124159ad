import { createContext, use } from 'react'
import { nameOf } from '../../lib/auth/viewer.ts'
import type { MediaLinksState } from '../../lib/media/media-links.ts'
import { MediaGallery } from './media-gallery.tsx'
import type { Post } from './queries.ts'

/** Links to the files of all posts that come together. They arrive later than the posts, and then only what shows files is drawn again. */
export const PostMediaLinks = createContext<MediaLinksState>({ links: new Map(), pending: true })

/** The pictures and videos of a post that is not locked. `eager`: the first thing on its screen, loaded at once. */
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
