import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { type MediaLinks, mediaLinksQuery, sized } from '../../lib/media/media-links.ts'
import { BlurredPreview } from '../../ui/blurred-preview.tsx'
import classes from './notifications.module.css'
import type { NotificationPage, NotifiedPost } from './queries.ts'

/** Sharp on a 3x screen. */
const width = 144

/** Links to the first pictures of the posts on these pages, one request for each page. */
export function useThumbnailLinks(pages: readonly NotificationPage[]): MediaLinks {
  const groups = pages.map((page) => {
    const paths = [...page.stored, ...page.newPosts].flatMap(({ post }) => post?.media_urls[0] ?? [])
    return [...new Set(paths)].toSorted()
  })
  // Two queries with the same paths would be one.
  const different = new Map(groups.flatMap((paths) => (paths.length > 0 ? [[paths.join('\n'), paths]] : [])))
  return useQueries({
    queries: [...different.values()].map((paths) => mediaLinksQuery(paths)),
    combine: (results) => new Map(results.flatMap(({ data }) => [...(data ?? [])])),
  })
}

/** The first picture of a post, or the poster of its video (LOOP-17). Of a locked post, the blurred preview that everyone sees. */
export function NotificationThumbnail({ post, links }: { post: NotifiedPost; links: MediaLinks }) {
  const [broken, setBroken] = useState<string>()
  const [path] = post.media_urls
  const link = path && links.get(path)
  const preview = post.media_previews[0]?.preview
  if (!preview && !path) return null
  return (
    <span className={classes.thumbnail} aria-hidden="true">
      {preview && <BlurredPreview preview={preview} />}
      {link && link !== broken && (
        <img src={sized(link, width)} alt="" loading="lazy" decoding="async" onError={() => setBroken(link)} />
      )}
    </span>
  )
}
