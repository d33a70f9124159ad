import { publicFeedPath } from '@ovation/contract/feed-paths'
import { anonymous } from '../postgres/caller.ts'
import { composePublicFeed, encodePath } from './compose-feed.ts'
import type { ReadDocument } from './document-cache.ts'
import type { FeedFormat } from './feed.ts'
import { findCreatorByName, findFiles, findPosts } from './queries.ts'
import { renderFeed } from './render-feed.ts'
import type { Services } from './services.ts'

/** `username.format`, under which a document is cached. Usernames have no dots. */
export const publicFeedKey = (username: string, format: FeedFormat): string => `${username}.${format}`

/** The feed that everyone may read (RSS-01), as a visitor sees the creator. A private or suspended creator has none, like a deleted one. */
export function buildPublicFeed(services: Services): ReadDocument {
  const db = services.database.as(anonymous)
  return async (key) => {
    const [username = '', format] = key.split('.') as [string, FeedFormat]
    const creator = await findCreatorByName(db, username)
    if (!creator || creator.is_private) return undefined
    const posts = await findPosts(db, creator.id)
    const files = await findFiles(db, posts.flatMap(playable))
    const siteUrl = services.siteUrl()
    // Everyone may read a free post's files at their own addresses.
    const linkTo = (path: string) => `${siteUrl}/storage/v1/object/posts/${encodePath(path)}`
    const { filesUrl = siteUrl } = services.config
    const site = { siteUrl, filesUrl, productName: services.config.operator.productName }
    const feed = composePublicFeed({ creator, posts, files, linkTo }, site)
    const newest = posts[0]?.created_at ?? creator.updated_at
    return { body: renderFeed(feed, format, siteUrl + publicFeedPath(username, format)), newest }
  }
}

/** The files of a post that aren't pictures. */
export const playable = ({
  media_urls,
  media_types,
}: {
  media_urls: readonly string[]
  media_types: readonly string[]
}) => media_urls.filter((_path, index) => media_types[index] !== 'image')
