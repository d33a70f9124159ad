import { mediaLinkSeconds } from '@ovation/contract/limits'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { fileUrl } from './files-url.ts'

/** Private paths and their short-lived links. A path without a link couldn't be signed. */
export type MediaLinks = ReadonlyMap<string, string>

const none: MediaLinks = new Map()
/**
 * Links are renewed five minutes before they may expire, so that an open page never shows a broken one. A stable link works for at least
 * half of the time. Within it, a renewed link is the same one, and nothing loads again.
 */
const renewalMs = (mediaLinkSeconds / 2 - 300) * 1000

type Bucket = 'posts' | 'messages' | 'vault' | 'stories'

/** Signed links to the files of a page of posts or messages, or of stories, in one request (POST-47, D23). */
export const mediaLinksQuery = (paths: string[], bucket: Bucket = 'posts') =>
  queryOptions({
    queryKey: ['media-links', bucket, paths],
    staleTime: renewalMs,
    gcTime: renewalMs,
    refetchInterval: renewalMs,
    queryFn: async (): Promise<MediaLinks> => {
      // Loads with the first post that has media.
      const { storage } = await import('../api/storage.ts')
      const files = storage().from(bucket).setHeader('Prefer', 'stable-links')
      const { data, error } = await files.createSignedUrls(paths, mediaLinkSeconds)
      if (error) throw error
      return new Map(
        data.flatMap(({ path, signedUrl, error }) => (path && signedUrl && !error ? [[path, fileUrl(signedUrl)]] : [])),
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
export const sized = (link: string, width: number): string => inForm(link, 'render/image', `width=${width}`)

/**
 * What else a link to a file opens. The token of a stable link is in its path; other servers of this API have it in the query. A link to a
 * picture with a watermark has its only form already.
 */
function inForm(link: string, form: string, query = ''): string {
  const address = link.replace(/(\/storage\/v1\/(?:links\/[^/]+\/)?)object\//, `$1${form}/`)
  return query === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`
}

/** The path of the file, which stays the same when it is signed again. */
export const fileOf = (link: string): string => /\/object\/(?:sign\/)?([^?]*)/.exec(link)?.[1] ?? ''

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
  src: inForm(link, 'render/captions', `language=${encodeURIComponent(language)}`),
  label: languageName(language),
  language,
})

/** A video as HLS, valid as long as its link. */
export const streamOf = (link: string): string => inForm(link, 'render/video')
