import type { Feed, FeedFormat } from './feed.ts'
import { renderJsonFeed } from './render-json-feed.ts'
import { renderRss } from './render-rss.ts'

/** @param selfUrl the address of this document. */
export function renderFeed(feed: Feed, format: FeedFormat, selfUrl: string): string {
  return format === 'xml' ? renderRss(feed, selfUrl) : renderJsonFeed(feed, selfUrl)
}

export const feedTypes: Readonly<Record<FeedFormat, string>> = {
  xml: 'application/rss+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
}
