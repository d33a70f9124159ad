import type { Feed, FeedItem } from './feed.ts'

/** JSON Feed 1.1 (jsonfeed.org/version/1.1). JSON leaves out what is undefined. */
export function renderJsonFeed({ title, description, homeUrl, creator, items }: Feed, selfUrl: string): string {
  const { name, pictureUrl } = creator
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: homeUrl,
    feed_url: selfUrl,
    description,
    icon: pictureUrl,
    authors: [{ name, url: homeUrl, avatar: pictureUrl }],
    items: items.map(renderItem),
  })
}

function renderItem({ id, url, title, summary, html, publishedAt, pictureUrl, media }: FeedItem) {
  return {
    id,
    url,
    title,
    content_html: html,
    summary: summary || undefined,
    image: pictureUrl,
    date_published: publishedAt.toISOString(),
    attachments:
      media.length === 0
        ? undefined
        : media.map(({ url, mimeType, bytes, seconds }) => ({
            url,
            mime_type: mimeType,
            size_in_bytes: bytes,
            duration_in_seconds: seconds,
          })),
  }
}
