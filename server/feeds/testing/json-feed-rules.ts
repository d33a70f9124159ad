import { complain, complainOfHtml, type FeedRule, isAbsoluteUrl, isUnique } from './feed-rule.ts'

type Author = { readonly name?: unknown; readonly url?: unknown; readonly avatar?: unknown }
type Attachment = {
  readonly url?: unknown
  readonly mime_type?: unknown
  readonly size_in_bytes?: unknown
  readonly duration_in_seconds?: unknown
}
type Item = {
  readonly id?: unknown
  readonly url?: unknown
  readonly title?: unknown
  readonly content_html?: unknown
  readonly content_text?: unknown
  readonly image?: unknown
  readonly date_published?: unknown
  readonly attachments?: readonly Attachment[]
}
export type JsonFeed = {
  readonly text: string
  readonly feed: {
    readonly version?: unknown
    readonly title?: unknown
    readonly home_page_url?: unknown
    readonly feed_url?: unknown
    readonly icon?: unknown
    readonly authors?: readonly Author[]
    readonly items: readonly Item[]
  }
  /** The address from which it was read. */
  readonly selfUrl: string
}

export const parseJsonFeed = (text: string, selfUrl: string): JsonFeed => ({ text, feed: JSON.parse(text), selfUrl })

/** RFC 3339. */
const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/
const present = (values: readonly unknown[]) => values.filter((value) => value !== undefined)
const attachmentsOf = ({ items }: JsonFeed['feed']) => items.flatMap(({ attachments = [] }) => attachments)
/** Changes the document, or its first item. */
const change = (edit: (feed: Record<string, unknown>, first: Record<string, unknown>) => void) => (text: string) => {
  const feed = JSON.parse(text)
  edit(feed, feed.items[0] ?? {})
  return JSON.stringify(feed)
}

/** JSON Feed 1.1 (jsonfeed.org/version/1.1). */
export const jsonFeedRules: readonly FeedRule<JsonFeed>[] = [
  {
    name: 'has the version, a title, and a list of items (top-level, required)',
    check: ({ feed }) => [
      ...complain('version', [feed.version], (version) => version === 'https://jsonfeed.org/version/1.1'),
      ...complain('title', [feed.title], (title) => title.trim() !== ''),
      ...(Array.isArray(feed.items) ? [] : ['items']),
    ],
    violate: change((feed) => void Object.assign(feed, { version: undefined })),
  },
  {
    name: 'links to itself, and to an absolute page and icon (feed_url, home_page_url, icon)',
    check: ({ feed, selfUrl }) => [
      ...complain('feed_url', [feed.feed_url], (url) => url === selfUrl),
      ...complain('address', [feed.home_page_url, ...present([feed.icon])], isAbsoluteUrl),
    ],
    violate: change((feed) => void Object.assign(feed, { feed_url: '/feed.json' })),
  },
  {
    name: 'lists authors by name, with absolute addresses (authors; author is deprecated)',
    check: ({ feed }) => [
      ...('author' in feed ? ['author'] : []),
      ...complain(
        'name',
        (feed.authors ?? [{}]).map(({ name }) => name),
        (name) => name.trim() !== '',
      ),
      ...complain('address', present((feed.authors ?? []).flatMap(({ url, avatar }) => [url, avatar])), isAbsoluteUrl),
    ],
    violate: change((feed) => void Object.assign(feed, { authors: [{}] })),
  },
  {
    name: 'has no null: what is unknown is left out',
    check: ({ text }) => (/:null[,}]/.test(text) ? ['null'] : []),
    violate: change((feed) => void Object.assign(feed, { icon: null })),
  },
  {
    name: 'identifies each item once, by a text (id)',
    check: ({ feed }) => [
      ...complain(
        'id',
        feed.items.map(({ id }) => id),
        (id) => id !== '',
      ),
      ...(isUnique(feed.items.map(({ id }) => id)) ? [] : ['the same twice']),
    ],
    violate: change((_feed, first) => void Object.assign(first, { id: 7 })),
  },
  {
    name: 'has content of each item, that texts bring no markup into (content_html, content_text)',
    check: ({ feed }) =>
      feed.items.flatMap(({ content_html, content_text }) =>
        content_html === undefined && content_text === undefined
          ? ['none']
          : complainOfHtml(String(content_html ?? '')),
      ),
    violate: change((_feed, first) => void Object.assign(first, { content_html: '<script>alert(1)</script>' })),
  },
  {
    name: 'has absolute addresses of items and their pictures (url, image)',
    check: ({ feed }) =>
      complain(
        'address',
        [...feed.items.map(({ url }) => url), ...present(feed.items.map(({ image }) => image))],
        isAbsoluteUrl,
      ),
    violate: change((_feed, first) => void Object.assign(first, { url: '/post/1' })),
  },
  {
    name: 'has dates of RFC 3339 (date_published)',
    check: ({ feed }) =>
      complain(
        'date',
        feed.items.map((item) => item.date_published),
        (date) => rfc3339.test(date),
      ),
    violate: change((_feed, first) => void Object.assign(first, { date_published: 'Fri, 27 Nov 2026 05:02:19 GMT' })),
  },
  {
    name: 'has attachments with an absolute address and a type, and their size and length as numbers (attachments)',
    check: ({ feed }) => {
      const attachments = attachmentsOf(feed)
      return [
        ...complain(
          'url',
          attachments.map(({ url }) => url),
          isAbsoluteUrl,
        ),
        ...complain(
          'type',
          attachments.map(({ mime_type }) => mime_type),
          (type) => /^[a-z]+\/[a-z0-9.+-]+$/.test(type),
        ),
        ...present(
          attachments.flatMap(({ size_in_bytes, duration_in_seconds }) => [size_in_bytes, duration_in_seconds]),
        )
          .filter((value) => typeof value !== 'number' || value < 0)
          .map(String),
      ]
    },
    violate: change((_feed, first) => void Object.assign(first, { attachments: [{ url: 'https://a.example/b.mp4' }] })),
  },
]
