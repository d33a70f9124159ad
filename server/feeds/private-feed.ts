import { createHash } from 'node:crypto'
import { privateFeedPath } from '@ovation/contract/feed-paths'
import { etagOf } from '../http/conditional.ts'
import type { Caller } from '../postgres/caller.ts'
import type { CallerDb } from '../postgres/caller-db.ts'
import type { LinkTokens } from '../storage/link-tokens.ts'
import { signObjects, stablePath } from '../storage/sign-object.ts'
import { composePausedFeed, composePrivateFeed, encodePath } from './compose-feed.ts'
import type { FeedFormat } from './feed.ts'
import { playable } from './public-feed.ts'
import { type CreatorRow, findCreator, findFiles, findReadablePosts, type OpenedFeed, type PostRow } from './queries.ts'
import { renderFeed } from './render-feed.ts'
import type { Services } from './services.ts'

/**
 * How long links to files work: until the end of the next day (UTC). Podcast apps look at a feed at least once a day, and download or play until
 * they look again. It isn't longer, because a link outlives the subscription.
 */
const linkSeconds = 2 * 24 * 3600
const dayMs = 24 * 3600 * 1000

/** What a feed consists of, before the cost of signing links and rendering. */
export type PrivateFeed = {
  /** Of the content, and of the day: each day has new links. */
  readonly tag: string
  render(): Promise<string>
}

export type FeedAddress = { readonly token: string; readonly format: FeedFormat }

/** @param file the last part of the address, such as `{token}.xml`. */
export function readAddress(file: string): FeedAddress | undefined {
  const [, token, format] = /^([0-9a-f]{48})\.(xml|json)$/.exec(file) ?? []
  return token === undefined ? undefined : { token, format: format as FeedFormat }
}

/** A fan's feed of a creator (RSS-02). Undefined if the creator was deleted in the meantime. */
export async function readPrivateFeed(
  services: Services,
  links: LinkTokens,
  { user_id, fan_id, creator_id, paused_at }: OpenedFeed,
  { token, format }: FeedAddress,
): Promise<PrivateFeed | undefined> {
  const db = services.database.as(asFan(user_id))
  const creator = await findCreator(db, creator_id)
  if (!creator) return undefined
  const siteUrl = services.siteUrl()
  const { filesUrl = siteUrl } = services.config
  const site = { siteUrl, filesUrl, productName: services.config.operator.productName }
  const selfUrl = site.siteUrl + privateFeedPath(token, format)
  const guid = feedGuid(fan_id, creator_id)
  if (paused_at) {
    const body = renderFeed(composePausedFeed(creator, paused_at, site, guid), format, selfUrl)
    return { tag: etagOf(body), render: async () => body }
  }
  const posts = await findReadablePosts(db, creator_id)
  return {
    tag: etagOf(JSON.stringify([selfUrl, filesUrl, Math.floor(Date.now() / dayMs), creator, posts])),
    async render() {
      const sources = await readSources(db, links, creator, posts, filesUrl)
      return renderFeed(composePrivateFeed(sources, site, guid), format, selfUrl)
    },
  }
}

/** Their permissions without those of an admin, whose feed would have the posts that they haven't paid for. */
function asFan(userId: string): Caller {
  return { role: 'authenticated', claims: { sub: userId, role: 'authenticated', client_id: 'private feed' } }
}

async function readSources(
  db: CallerDb,
  links: LinkTokens,
  creator: CreatorRow,
  posts: readonly PostRow[],
  filesUrl: string,
) {
  const names = posts.flatMap(({ media_urls }) => media_urls)
  const [files, signed] = await Promise.all([
    findFiles(db, posts.flatMap(playable)),
    signObjects(db, links, 'posts', names, linkSeconds, stableForADay),
  ])
  const urls = new Map(
    signed.flatMap(({ path, signedURL }) =>
      signedURL === null ? [] : [[path, filesUrl + encodeLink(signedURL)] as const],
    ),
  )
  return { creator, posts, files, linkTo: (path: string) => urls.get(path) }
}

/** Until the end of the next day, so that all who read the feed within a day get the same links, as `PrivateFeed.tag` promises. */
const stableForADay: typeof stablePath = (links, bucket, object, expiresIn) =>
  stablePath(links, bucket, object, expiresIn, { spread: false })

/** @param signedURL as storage/v1 signs it: the path isn't encoded yet, and the token needs no encoding. */
const encodeLink = (signedURL: string): string => `/storage/v1${encodePath(signedURL)}`

/** The namespace of the UUIDs under which podcasts are known (podcastindex.org/namespace/1.0#guid). */
const podcasts = Buffer.from('ead4c236bf5858c6a2c6a6b28d128cb6', 'hex')

/** A UUID made of names (RFC 9562, version 5). It is the same after the address has changed, so that apps know the feed again. */
function feedGuid(fanId: string, creatorId: string): string {
  const bytes = createHash('sha1').update(podcasts).update(`${fanId}/${creatorId}`).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
