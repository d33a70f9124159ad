/** A feed in no particular format. Addresses are absolute, texts are clean (`feed-texts.ts`), and HTML is escaped. */
export type Feed = {
  readonly title: string
  readonly description: string
  /** The page that the feed belongs to. */
  readonly homeUrl: string
  readonly creator: { readonly name: string; readonly pictureUrl: string | undefined }
  /** What apps need that keep the feed of one fan; undefined: the feed is public. */
  readonly personal: { readonly guid: string } | undefined
  readonly productName: string
  /** Newest first. */
  readonly items: readonly FeedItem[]
}

export type FeedItem = {
  /** Identifies the entry forever, whatever the site's address. */
  readonly id: string
  readonly url: string
  readonly title: string
  /** One line of plain text. */
  readonly summary: string
  readonly html: string
  readonly publishedAt: Date
  readonly pictureUrl: string | undefined
  /** Audio and video. */
  readonly media: readonly FeedMedia[]
}

export type FeedMedia = {
  readonly url: string
  readonly mimeType: string
  readonly bytes: number
  readonly seconds: number | undefined
}

/** A format, by the ending of its address. */
export type FeedFormat = 'xml' | 'json'
export const feedFormats: readonly FeedFormat[] = ['xml', 'json']
