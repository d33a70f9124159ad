import { paths } from '@ovation/contract/paths'
import { findScreen, type Screen } from '@ovation/contract/screens'
import { tagTitle } from '@ovation/contract/texts/page-titles'
import { fixedPages, frontPage, tagPage } from '@ovation/contract/texts/public-pages'
import type { FastifyRequest } from 'fastify'
import type { DocumentHead } from '../http/app-document.ts'
import { buildErrorTranslator } from '../http/error-translator.ts'
import { plainText, shorten } from '../plain-text.ts'
import type { CallerDb } from '../postgres/caller-db.ts'
import { findAddress } from './find-address.ts'
import { oEmbedAddress } from './oembed-address.ts'
import { titleOf } from './page-title.ts'
import { frontPicture, pictureOn } from './pictures.ts'
import { findFrontPage, isIndexedTag } from './queries.ts'
import { type PublicPage, readPage } from './read-page.ts'
import type { Services } from './services.ts'
import { pictureAddress, pictureSize } from './share-picture/describe-picture.ts'
import { addressOn, type Site, siteOf } from './site.ts'
import { structuredData } from './structured-data.ts'
import { visitorDb } from './visitor-db.ts'
import { type Head, type HeadLink, writeHead } from './write-head.ts'

const descriptionLength = 200

/** @returns the head of the web app's document at a path, as HTML. Never rejects: the screen works without it. */
export function buildHeadReader(services: Services): (request: FastifyRequest, path: string) => Promise<DocumentHead> {
  const report = buildErrorTranslator(services.log, () => undefined)
  return async (request, path) => {
    const site = siteOf(services)
    try {
      return { html: writeHead(await readHead(visitorDb(services, request), path, site)), hasFailed: false }
    } catch (error) {
      report(error, request.id)
      // No `noindex`: search engines would forget a page because of one bad moment.
      return { html: writeHead({ title: site.name, isIndexed: true }), hasFailed: true }
    }
  }
}

/** @param db as a visitor. */
export async function readHead(db: CallerDb, path: string, site: Site): Promise<Head> {
  const screen = findScreen(path)
  if (!screen?.isPublic) return privateHead(site)
  if (screen.pattern === '/tag/:tag') return tagHead(db, tagOf(path), site)
  if (!screen.hasPreview) return fixedHead(db, screen, site)
  const address = findAddress(path)
  const page = address && (await readPage(db, address))
  return page ? pageHead(page, site) : privateHead(site)
}

/** For screens of signed-in users, unknown paths, and what visitors can't see. They all look the same. */
const privateHead = ({ name }: Site): Head => ({ title: name, isIndexed: false })

/** The tag of a tag's page, lowercase. Empty if it can't be read. */
function tagOf(path: string): string {
  try {
    return decodeURIComponent(path.split('/')[2] ?? '')
      .normalize()
      .toLowerCase()
  } catch {
    return ''
  }
}

/** Any word has such a page: search engines list those that show a visitor something. */
async function tagHead(db: CallerDb, tag: string, site: Site): Promise<Head> {
  if (!/^[\p{Alphabetic}0-9_]{1,50}$/u.test(tag) || !(await isIndexedTag(db, tag))) return privateHead(site)
  const path = paths.tag(tag)
  const title = `${tagTitle(tag)} · ${site.name}`
  const description = tagPage(tag, site.name)
  return {
    title,
    description,
    canonical: addressOn(site, path),
    isIndexed: true,
    meta: {
      ...fixedMeta(title, description, path, site),
      'og:image': addressOn(site, '/icon-512.png'),
      'twitter:card': 'summary',
    },
  }
}

async function fixedHead(db: CallerDb, { canonical, pattern }: Screen, site: Site): Promise<Head> {
  const path = canonical ?? pattern
  if (path === paths.home) return frontHead(db, site)
  const { title, description } = fixedPages[path]?.(site.name) ?? { title: site.name, description: '' }
  return {
    title,
    description,
    canonical: addressOn(site, path),
    isIndexed: true,
    meta: {
      ...fixedMeta(title, description, path, site),
      'og:image': addressOn(site, '/icon-512.png'),
      'twitter:card': 'summary',
    },
  }
}

/** With the operator's words and picture (FIND-06). */
async function frontHead(db: CallerDb, site: Site): Promise<Head> {
  const page = await findFrontPage(db)
  const picture = page?.picture_path
  const { title, description } = frontPage(
    site.name,
    plainText(page?.headline ?? ''),
    shorten(page?.message ?? '', descriptionLength),
  )
  const { width, height } = pictureSize
  return {
    title,
    description,
    canonical: addressOn(site, paths.home),
    isIndexed: true,
    meta: {
      ...fixedMeta(title, description, paths.home, site),
      'og:image': picture ? pictureOn(site, frontPicture(picture), width, height) : addressOn(site, '/icon-512.png'),
      'og:image:alt': picture ? plainText(page.picture_alt ?? '') : undefined,
      'twitter:card': picture ? 'summary_large_image' : 'summary',
    },
  }
}

const fixedMeta = (title: string, description: string, path: string, site: Site) => ({
  'og:type': 'website',
  'og:site_name': site.name,
  'og:title': title,
  'og:description': description,
  'og:url': addressOn(site, path),
})

function pageHead(page: PublicPage, site: Site): Head {
  const title = titleOf(page)
  const description = descriptionOf(page)
  const url = addressOn(site, page.path)
  const image = pictureAddress(page, site)
  return {
    title: `${title} · ${site.name}`,
    description,
    canonical: url,
    isIndexed: page.isIndexed,
    meta: {
      'og:type': ogTypes[page.kind],
      'og:site_name': site.name,
      'og:title': title,
      'og:description': description,
      'og:url': url,
      'og:image': image,
      'og:image:type': 'image/jpeg',
      'og:image:width': String(pictureSize.width),
      'og:image:height': String(pictureSize.height),
      'og:image:alt': title,
      ...ownMeta(page, site),
      'twitter:card': 'summary_large_image',
      'twitter:title': title,
      'twitter:description': description,
      'twitter:image': image,
    },
    links: [...feedLinks(page, site), ...oEmbedLinks(page, title, site), ...ownSites(page)],
    data: structuredData(page, title, site),
  }
}

const ogTypes = { post: 'article', product: 'product', profile: 'profile' } as const

function descriptionOf(page: PublicPage): string {
  if (page.kind === 'profile') return shorten(page.bio, descriptionLength)
  return shorten(page.text, descriptionLength, page.kind === 'post' && page.isLocked)
}

/** The tags of Open Graph's type. */
function ownMeta(page: PublicPage, site: Site): Record<string, string> {
  const { creator } = page
  if (page.kind === 'post')
    return {
      'article:published_time': page.createdAt.toISOString(),
      'article:author': addressOn(site, creator.path),
    }
  if (page.kind === 'profile') return { 'profile:username': creator.username }
  return {
    'product:brand': creator.name,
    'product:availability': page.isSoldOut ? 'out of stock' : 'in stock',
    'product:price:amount': (page.cents / 100).toFixed(2),
    'product:price:currency': 'USD',
  }
}

/** The creator's feeds, for readers. */
function feedLinks({ creator }: PublicPage, site: Site): HeadLink[] {
  const title = `${creator.name} on ${site.name}`
  return [
    { rel: 'alternate', type: 'application/rss+xml', title, href: addressOn(site, `${creator.path}/feed.xml`) },
    { rel: 'alternate', type: 'application/feed+json', title, href: addressOn(site, `${creator.path}/feed.json`) },
  ]
}

/** By which other sites find the card (oembed.com, section 4). */
function oEmbedLinks({ path }: PublicPage, title: string, site: Site): HeadLink[] {
  const types = { json: 'application/json+oembed', xml: 'text/xml+oembed' } as const
  return (['json', 'xml'] as const).map((format) => ({
    rel: 'alternate',
    type: types[format],
    title,
    href: oEmbedAddress(site, addressOn(site, path), format),
  }))
}

/** Sites that link back are thereby known to be the creator's (microformats.org/wiki/rel-me). */
function ownSites(page: PublicPage): HeadLink[] {
  if (page.kind !== 'profile') return []
  const urls = new Set([...(page.website ? [page.website] : []), ...page.links.map(({ url }) => url)])
  return [...urls].map((href) => ({ rel: 'me', href }))
}
