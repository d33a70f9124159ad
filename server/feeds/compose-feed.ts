import { postTitleMaxLength } from '@ovation/contract/limits'
import { paths } from '@ovation/contract/paths'
import { feedDocumentTexts as texts } from '@ovation/contract/texts/feed-documents'
import { formatMoney } from '../payments/format-money.ts'
import type { Feed, FeedItem, FeedMedia } from './feed.ts'
import { cleanText, toLine } from './feed-texts.ts'
import { postHtml } from './post-html.ts'
import type { CreatorRow, FileRow, PostRow } from './queries.ts'

/** The size of all entries, in characters. Beyond it, the oldest are left out: apps reject feeds that are too large. */
const maxHtmlLength = 500_000
const summaryLength = 300
/** Of the beginning of a text that has no title. */
const titleLength = 80

type Site = {
  readonly siteUrl: string
  /** The origin of public files: the site's, or a CDN's. */
  readonly filesUrl: string
  readonly productName: string
}

export type FeedSources = {
  readonly creator: CreatorRow
  readonly posts: readonly PostRow[]
  /** Of the posts' audio and video. */
  readonly files: readonly FileRow[]
  /** The absolute URL of a post's file; undefined if the reader may not have it. */
  linkTo(path: string): string | undefined
}

/** What everyone may see of a creator. */
export function composePublicFeed(sources: FeedSources, site: Site): Feed {
  const { creator } = sources
  return {
    ...headOf(creator, site),
    title: cleanText(creator.name),
    description: cleanText(creator.bio ?? '').trim() || texts.description(cleanText(creator.name), site.productName),
    personal: undefined,
    items: composeItems(sources, site),
  }
}

/** What one fan may see. @param guid identifies the feed, also after its address has changed. */
export function composePrivateFeed(sources: FeedSources, site: Site, guid: string): Feed {
  return { ...privateHead(sources.creator, site, guid), items: composeItems(sources, site) }
}

/** The feed of an address that was read in too many places. */
export function composePausedFeed(creator: CreatorRow, pausedAt: Date, site: Site, guid: string): Feed {
  const head = privateHead(creator, site, guid)
  const message = texts.paused.message(head.creator.name, site.productName)
  const item: FeedItem = {
    // Another one for each pause, so that an app that has shown the last one shows this one too.
    id: `urn:uuid:${guid}#paused-${pausedAt.getTime()}`,
    url: head.homeUrl,
    title: texts.paused.title,
    summary: message,
    html: postHtml({ text: message, isCut: false, pictureUrls: [] }),
    publishedAt: pausedAt,
    pictureUrl: undefined,
    media: [],
  }
  return { ...head, items: [item] }
}

function privateHead(creator: CreatorRow, site: Site, guid: string): Omit<Feed, 'items'> {
  const name = cleanText(creator.name)
  return {
    ...headOf(creator, site),
    title: texts.privateTitle(name),
    description: texts.privateDescription(name, site.productName),
    personal: { guid },
  }
}

function headOf(creator: CreatorRow, { siteUrl, filesUrl, productName }: Site) {
  return {
    homeUrl: siteUrl + paths.profile(creator.username),
    creator: { name: cleanText(creator.name), pictureUrl: ownPicture(creator.avatar_url, filesUrl) },
    productName,
  }
}

function composeItems(sources: FeedSources, site: Site): FeedItem[] {
  const files = new Map(sources.files.map((file) => [file.name, file]))
  const items: FeedItem[] = []
  let length = 0
  for (const post of sources.posts) {
    const item = composeItem(post, sources, files, site)
    length += item.html.length
    if (length > maxHtmlLength) break
    items.push(item)
  }
  return items
}

function composeItem(
  post: PostRow,
  { creator, linkTo }: FeedSources,
  files: ReadonlyMap<string, FileRow>,
  { siteUrl, filesUrl }: Site,
): FeedItem {
  const url = siteUrl + paths.post(post.id)
  const name = cleanText(creator.name)
  const { content: text, is_locked: isLocked } = post
  const pictureUrls = isLocked ? coverOf(post, filesUrl) : picturesOf(post, linkTo)
  return {
    id: `urn:uuid:${post.id}`,
    url,
    title: toLine(post.title ?? '', postTitleMaxLength) || toLine(text, titleLength, isLocked) || texts.untitled(name),
    summary: toLine(text, summaryLength, isLocked),
    html: postHtml({ text, isCut: isLocked && text !== '', pictureUrls, more: moreOf(post, url, name) }),
    publishedAt: post.created_at,
    pictureUrl: pictureUrls[0],
    media: isLocked ? [] : mediaOf(post, files, linkTo),
  }
}

function moreOf({ is_locked, ppv_price }: PostRow, url: string, name: string) {
  if (!is_locked) return undefined
  const { locked } = texts
  return { url, text: ppv_price === null ? locked.subscription(name) : locked.price(formatMoney(ppv_price, 'usd')) }
}

function picturesOf({ media_urls, media_types }: PostRow, linkTo: FeedSources['linkTo']): string[] {
  return media_urls
    .filter((_path, index) => media_types[index] === 'image')
    .map(linkTo)
    .filter((url) => url !== undefined)
}

function mediaOf(post: PostRow, files: ReadonlyMap<string, FileRow>, linkTo: FeedSources['linkTo']): FeedMedia[] {
  return post.media_urls.flatMap((path, index) => {
    const file = files.get(path)
    const url = linkTo(path)
    if (!file || !url) return []
    return [{ url, mimeType: file.mime_type, bytes: file.bytes, seconds: post.media_previews[index]?.duration }]
  })
}

const publicPath = '/storage/v1/object/public/'

/** The free cover of a locked post (LOOP-14). */
function coverOf({ cover_path }: PostRow, filesUrl: string): string[] {
  return cover_path === null ? [] : [`${filesUrl}${publicPath}covers/${encodePath(cover_path)}`]
}

/** An avatar on this site. A profile may have any text in its place, such as another site's URL or a script. */
function ownPicture(url: string | null, filesUrl: string): string | undefined {
  const at = url?.indexOf(publicPath) ?? -1
  return url === null || at === -1 ? undefined : URL.parse(cleanText(url.slice(at)), filesUrl)?.href
}

/** The path of a file, for a URL. */
export const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')
