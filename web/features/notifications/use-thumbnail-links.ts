import { useQueries } from '@tanstack/react-query'
import { type MediaLinks, mediaLinksQuery } from '../../lib/media/media-links.ts'
import type { NotificationPage } from './queries.ts'

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
