import { canonicalPath } from '@ovation/contract/canonical-path'
import type { FastifyPluginAsync } from 'fastify'
import { escapeHtml } from '../../escape-html.ts'
import type { ApiOptions } from '../../http/api.ts'
import { sendRevalidated } from '../../http/send-html.ts'
import { cardAddress, cardSize } from '../card/card-address.ts'
import { type Address, findAddress } from '../find-address.ts'
import { titleOf } from '../page-title.ts'
import { pictureOn, sizeIn } from '../pictures.ts'
import { type PublicPage, readPage } from '../read-page.ts'
import type { Services } from '../services.ts'
import { addressOn, type Site, siteOf } from '../site.ts'
import { visitorDb } from '../visitor-db.ts'

const side = { type: 'integer', minimum: 1, maximum: 100_000 } as const
const schema = {
  querystring: {
    type: 'object',
    required: ['url'],
    properties: {
      url: { type: 'string', maxLength: 2000 },
      format: { type: 'string', maxLength: 20 },
      maxwidth: side,
      maxheight: side,
    },
  },
} as const
type Query = { url: string; format?: string; maxwidth?: number; maxheight?: number }

/** How long other sites may keep an answer. Its card is always the present one. */
const keptSeconds = 3600
const thumbnailWidth = 480

/**
 * `GET /oembed?url=`: a post, product, or profile as a card for other sites (FIND-03, oembed.com). 404 for all that visitors can't see, so that nobody
 * learns whether it exists, and for other sites' addresses; 501 for other formats than JSON and XML.
 */
export const oEmbedRoute: FastifyPluginAsync<ApiOptions<Services>> = async (app, { services }) => {
  app.get<{ Querystring: Query }>('/oembed', { schema }, async (request, reply) => {
    const { url, format = 'json', maxwidth, maxheight } = request.query
    // Everyone gets the same answer, so scripts of other sites may read it too.
    reply.headers({ 'Access-Control-Allow-Origin': '*', 'X-Robots-Tag': 'noindex' })
    if (format !== 'json' && format !== 'xml') return reply.status(501).send({ message: 'format must be json or xml' })
    const site = siteOf(services)
    const address = findAddressOn(site, url)
    const page = address && (await readPage(visitorDb(services, request), address))
    if (!page) return reply.status(404).send({ message: 'No such page' })
    const answer = describeCard(page, site, { maxwidth, maxheight })
    return format === 'json'
      ? sendRevalidated(reply, 'application/json; charset=utf-8', JSON.stringify(answer))
      : sendRevalidated(reply, 'text/xml; charset=utf-8', writeXml(answer))
  })
}

/** The post, product, or profile at a URL of this site, which the site's own configuration names. Also at a short one, such as `/@mara`. */
function findAddressOn(site: Site, url: string): Address | undefined {
  const asked = URL.parse(url)
  if (!asked || asked.origin !== new URL(site.url).origin) return undefined
  return findAddress(canonicalPath(asked.pathname) ?? asked.pathname)
}

type Limits = { readonly maxwidth: number | undefined; readonly maxheight: number | undefined }

/** The members of oEmbed 1.0, type `rich`, in the order of its documentation. */
function describeCard(page: PublicPage, site: Site, { maxwidth = Infinity, maxheight = Infinity }: Limits) {
  const title = titleOf(page)
  const size = cardSize(page)
  const [width, height] = [Math.min(size.width, maxwidth), Math.min(size.height, maxheight)]
  return {
    type: 'rich',
    version: '1.0',
    title,
    author_name: page.creator.name,
    author_url: addressOn(site, page.creator.path),
    provider_name: site.name,
    provider_url: site.url,
    cache_age: keptSeconds,
    ...thumbnailOf(page, site, { maxwidth, maxheight }),
    html: writeFrame(addressOn(site, cardAddress(page)), title, width, height),
    width,
    height,
  }
}

/** The picture, if the site that asks has room for it, and its size is known: oEmbed requires both sides. */
function thumbnailOf({ picture }: PublicPage, site: Site, { maxwidth, maxheight }: Record<keyof Limits, number>) {
  const size = picture && sizeIn(picture, Math.min(thumbnailWidth, maxwidth))
  if (!picture || !size || size.height > maxheight) return {}
  return {
    thumbnail_url: pictureOn(site, picture, size.width),
    thumbnail_width: size.width,
    thumbnail_height: size.height,
  }
}

const writeFrame = (url: string, title: string, width: number, height: number): string =>
  `<iframe src="${escapeHtml(url)}" width="${width}" height="${height}" title="${escapeHtml(title)}" frameborder="0" loading="lazy"></iframe>`

function writeXml(answer: object): string {
  const elements = Object.entries(answer).map(([name, value]) => `<${name}>${escapeHtml(String(value))}</${name}>`)
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>\n${elements.join('\n')}\n</oembed>\n`
}
