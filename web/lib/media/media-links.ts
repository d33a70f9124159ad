import { mediaLinkSeconds } from '@ovation/contract/limits'
import { queryOptions, useQuery } from '@tanstack/react-query'

/** Private paths and their short-lived links. A path without a link couldn't be signed. */
export type MediaLinks = ReadonlyMap<string, string>

const none: MediaLinks = new Map()
/** Links are renewed five minutes before they expire, so that an open page never shows a broken one. */
const renewalMs = (mediaLinkSeconds - 300) * 1000

type Bucket = 'posts' | 'messages' | 'vault'

/** Signed links to the files of a page of posts or messages, in one request (POST-47, D23). */
export const mediaLinksQuery = (paths: string[], bucket: Bucket = 'posts') =>
  queryOptions({
    queryKey: ['media-links', bucket, paths],
    staleTime: renewalMs,
    gcTime: renewalMs,
    refetchInterval: renewalMs,
    queryFn: async (): Promise<MediaLinks> => {
      // Loads with the first post that has media.
      const { storage } = await import('../api/storage.ts')
      const { data, error } = await storage().from(bucket).createSignedUrls(paths, mediaLinkSeconds)
      if (error) throw error
      return new Map(
        data.flatMap(({ path, signedUrl, error }) => (path && signedUrl && !error ? [[path, signedUrl]] : [])),
      )
    },
  })

export type MediaLinksState = { links: MediaLinks; pending: boolean }

/** The links of these paths. `pending` while loading. A failure looks like missing links, as for a deleted file (POST-14). */
export function useMediaLinks(paths: string[], bucket?: Bucket): MediaLinksState {
  const query = useQuery({ ...mediaLinksQuery(paths, bucket), enabled: paths.length > 0 })
  return { links: query.data ?? none, pending: query.isPending && paths.length > 0 }
}

/**
 * The picture behind a link in another width, resized by the server (API-STO-17). For a video, its poster.
 * @param link a link of `MediaLinks`.
 */
export const sized = (link: string, width: number): string =>
  `${link.replace('/object/sign/', '/render/image/sign/')}&width=${width}`

const widths = [480, 960, 1440]
/** Twice the width of a post's own page, for sharp screens. */
const largeWidths = [...widths, 2200]

/** The same picture in several widths, from which the browser chooses. A local file has only one. */
export const widthsOf = (link: string, large = false): string | undefined =>
  link.startsWith('blob:')
    ? undefined
    : (large ? largeWidths : widths).map((width) => `${sized(link, width)} ${width}w`).join(', ')

// Created for the first video with captions: most screens have none.
let languages: Intl.DisplayNames | undefined

/** `'pt-BR'` → `"Brazilian Portuguese"`; an unknown tag stays as it is. */
export function languageName(tag: string): string {
  languages ??= new Intl.DisplayNames('en', { type: 'language' })
  try {
    return languages.of(tag) ?? tag
  } catch {
    return tag // valid for the server, but not in the standard
  }
}

/** A video's captions in one language, as WebVTT. */
export const captionsOf = (link: string, language: string) => ({
  src: `${link.replace('/object/sign/', '/render/captions/sign/')}&language=${encodeURIComponent(language)}`,
  label: languageName(language),
  language,
})

/** A video as HLS, valid as long as its link. */
export const streamOf = (link: string): string => link.replace('/object/sign/', '/render/video/sign/')
