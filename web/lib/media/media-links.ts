import { mediaLinkSeconds } from '@ovation/contract/limits'
import { queryOptions, useQuery } from '@tanstack/react-query'

/** A private path to its short-lived link. A path without a link could not be signed. */
export type MediaLinks = ReadonlyMap<string, string>

const none: MediaLinks = new Map()
/** Links are renewed five minutes before they end, so that an open page never shows a dead one. */
const renewalMs = (mediaLinkSeconds - 300) * 1000

type Bucket = 'posts' | 'messages'

/** Signed links to the files of posts or messages, a whole page in one request (POST-47, D23). */
const mediaLinksQuery = (paths: string[], bucket: Bucket = 'posts') =>
  queryOptions({
    queryKey: ['media-links', bucket, paths],
    staleTime: renewalMs,
    gcTime: renewalMs,
    refetchInterval: renewalMs,
    queryFn: async (): Promise<MediaLinks> => {
      // Its code loads with the first post that has media.
      const { storage } = await import('../api/storage.ts')
      const { data, error } = await storage().from(bucket).createSignedUrls(paths, mediaLinkSeconds)
      if (error) throw error
      return new Map(
        data.flatMap(({ path, signedUrl, error }) => (path && signedUrl && !error ? [[path, signedUrl]] : [])),
      )
    },
  })

export type MediaLinksState = { links: MediaLinks; pending: boolean }

/** The links of these paths. `pending` while they are fetched; a failure shows as missing links, as a file that is gone does (POST-14). */
export function useMediaLinks(paths: string[], bucket?: Bucket): MediaLinksState {
  const query = useQuery({ ...mediaLinksQuery(paths, bucket), enabled: paths.length > 0 })
  return { links: query.data ?? none, pending: query.isPending && paths.length > 0 }
}

/**
 * The picture behind a link in another width, as the server makes it (API-STO-17). Of a video it is the poster.
 * @param link what `MediaLinks` holds.
 */
export const sized = (link: string, width: number): string =>
  `${link.replace('/object/sign/', '/render/image/sign/')}&width=${width}`

/** The same picture in the widths that screens ask for: the browser takes the one that its place needs. A file not yet sent has one. */
export const widthsOf = (link: string): string | undefined =>
  link.startsWith('blob:') ? undefined : [480, 960, 1440].map((width) => `${sized(link, width)} ${width}w`).join(', ')

// Made when the first video has captions: most screens have none.
let languages: Intl.DisplayNames | undefined

/** `'pt-BR'` → `"Brazilian Portuguese"`; a tag that nobody knows stays as it is. */
export function languageName(tag: string): string {
  languages ??= new Intl.DisplayNames('en', { type: 'language' })
  try {
    return languages.of(tag) ?? tag
  } catch {
    return tag // it has the server's form of a tag, and not the standard's
  }
}

/** The captions of a video in one of its languages, as WebVTT. */
export const captionsOf = (link: string, language: string) => ({
  src: `${link.replace('/object/sign/', '/render/captions/sign/')}&language=${encodeURIComponent(language)}`,
  label: languageName(language),
  language,
})

/** A video as HLS, for as long as its link holds. */
export const streamOf = (link: string): string => link.replace('/object/sign/', '/render/video/sign/')
