import { XMLBuilder } from 'fast-xml-parser'
import type { Feed, FeedItem, FeedMedia } from './feed.ts'

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  suppressEmptyNode: true,
  suppressBooleanAttributes: false, // `isPermaLink="true"` would become HTML's `isPermaLink`
})

/** How often apps need to look, in minutes. Most look more often anyway. */
const ttlMinutes = 60

const namespaces = {
  '@xmlns:atom': 'http://www.w3.org/2005/Atom',
  '@xmlns:content': 'http://purl.org/rss/1.0/modules/content/',
  '@xmlns:dc': 'http://purl.org/dc/elements/1.1/',
}
const podcastNamespaces = {
  '@xmlns:itunes': 'http://www.itunes.com/dtds/podcast-1.0.dtd',
  '@xmlns:podcast': 'https://podcastindex.org/namespace/1.0',
}

/**
 * RSS 2.0 (rssboard.org/rss-specification) with the profile of the RSS Advisory Board; a private feed also has the tags of podcast apps
 * (podcasters.apple.com, podcastindex.org). The builder leaves out what is undefined.
 */
export function renderRss(feed: Feed, selfUrl: string): string {
  const { title, description, homeUrl, creator, personal, productName, items } = feed
  const { pictureUrl } = creator
  const document: string = builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    rss: {
      '@version': '2.0',
      ...namespaces,
      ...(personal && podcastNamespaces),
      channel: {
        title,
        link: homeUrl,
        description,
        'atom:link': { '@href': selfUrl, '@rel': 'self', '@type': 'application/rss+xml' },
        generator: productName,
        pubDate: items[0] && rfc822(items[0].publishedAt),
        ttl: ttlMinutes,
        image: pictureUrl && { url: pictureUrl, title, link: homeUrl },
        ...(personal && podcastTags(feed, personal.guid)),
        item: items.map((item) => renderItem(item, feed)),
      },
    },
  })
  return document
}

/** A private feed is in no directory, and no other host may take it over. */
function podcastTags({ creator }: Feed, guid: string) {
  return {
    'itunes:author': creator.name,
    'itunes:image': creator.pictureUrl && { '@href': creator.pictureUrl },
    'itunes:block': 'Yes',
    'podcast:guid': guid,
    'podcast:locked': 'yes',
    'podcast:block': 'yes',
  }
}

function renderItem({ id, url, title, summary, html, publishedAt, media }: FeedItem, { creator, personal }: Feed) {
  // Apps take one enclosure of an entry; which one they take of several differs.
  const [first] = media
  return {
    title,
    link: url,
    description: summary,
    'content:encoded': html,
    'dc:creator': creator.name,
    guid: { '@isPermaLink': 'false', '#text': id },
    pubDate: rfc822(publishedAt),
    enclosure: first && renderEnclosure(first),
    ...(personal && first?.seconds !== undefined && { 'itunes:duration': Math.round(first.seconds) }),
  }
}

function renderEnclosure({ url, bytes, mimeType }: FeedMedia) {
  return { '@url': url, '@length': String(bytes), '@type': mimeType }
}

/** With four digits of the year, as RSS asks for. */
const rfc822 = (date: Date): string => date.toUTCString()
