import { mediaLinkSeconds } from '@ovation/contract/limits'
import { queryOptions, useQuery } from '@tanstack/react-query'

/** A path in bucket `posts` to its short-lived link. A path without a link could not be signed. */
export type MediaLinks = ReadonlyMap<string, string>

const none: MediaLinks = new Map()
/** Links are renewed five minutes before they end, so that an open page never shows a dead one. */
const renewalMs = (mediaLinkSeconds - 300) * 1000

/** Signed links to post media, a whole page of posts in one request (POST-47, D23). */
export const mediaLinksQuery = (paths: string[]) =>
  queryOptions({
    queryKey: ['media-links', paths],
    staleTime: renewalMs,
    gcTime: renewalMs,
    refetchInterval: renewalMs,
    queryFn: async (): Promise<MediaLinks> => {
      // Its code loads with the first post that has media.
      const { storage } = await import('./storage.ts')
      const { data, error } = await storage().from('posts').createSignedUrls(paths, mediaLinkSeconds)
      if (error) throw error
      return new Map(
        data.flatMap(({ path, signedUrl, error }) => (path && signedUrl && !error ? [[path, signedUrl]] : [])),
      )
    },
  })

export type MediaLinksState = { links: MediaLinks; pending: boolean }

/** The links of these paths. `pending` while they are fetched; a failure shows as missing links, as a file that is gone does (POST-14). */
export function useMediaLinks(paths: string[]): MediaLinksState {
  const query = useQuery({ ...mediaLinksQuery(paths), enabled: paths.length > 0 })
  return { links: query.data ?? none, pending: query.isPending && paths.length > 0 }
}
