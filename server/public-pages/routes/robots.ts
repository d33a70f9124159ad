import { screens } from '@ovation/contract/screens'
import { trackingLinkPrefix } from '@ovation/contract/tracking-links'
import type { FastifyPluginAsync } from 'fastify'
import type { ApiOptions } from '../../http/api.ts'
import { sendRevalidated } from '../../http/send-html.ts'
import type { Services } from '../services.ts'
import { addressOn, type Site, siteOf } from '../site.ts'

/** `GET /robots.txt` (FIND-02): what crawlers should leave alone, and where the sitemap is. */
export const robotsRoute: FastifyPluginAsync<ApiOptions<Services>> = async (app, { services }) => {
  app.get('/robots.txt', async (_request, reply) =>
    sendRevalidated(reply, 'text/plain; charset=utf-8', writeRobots(siteOf(services))),
  )
}

/** Public files. Other sites fetch the pictures of a preview, and some of them ask robots.txt first. */
const files = [
  '/storage/v1/object/posts/',
  '/storage/v1/object/public/',
  '/storage/v1/render/image/authenticated/',
  '/storage/v1/render/image/public/',
]
/**
 * Feeds for everyone are below `/profile/`, which no line disallows: readers that honor robots.txt may read them. A fan's private feed is at a
 * secret address that nobody should follow.
 */
const privateFeeds = '/feeds/'
const apis = ['/auth/v1/', '/functions/v1/', '/realtime/v1/', '/rest/v1/', '/sandbox/', '/storage/v1/']

/** The longest matching line counts (RFC 9309); for crawlers that take the first one, what is allowed comes first. */
export function writeRobots(site: Site): string {
  return [
    'User-agent: *',
    ...files.map((path) => `Allow: ${path}`),
    ...apis.map((path) => `Disallow: ${path}`),
    `Disallow: ${privateFeeds}`,
    // They lead to pages that are listed themselves, and count who opens them.
    `Disallow: ${trackingLinkPrefix}`,
    ...privatePaths().map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${addressOn(site, '/sitemap.xml')}`,
    '',
  ].join('\n')
}

/** A line covers all paths that begin with it, unless it ends with `$`. */
function privatePaths(): string[] {
  const listed = screens.filter(({ isPublic }) => isPublic).map(({ pattern }) => pattern)
  const left = screens.filter(({ isPublic }) => !isPublic).map(({ pattern }) => pattern.replace(/:.*/, ''))
  const lines = left.map((path) => (listed.some((other) => other.startsWith(path)) ? `${path}$` : path))
  return lines.filter((line) => !lines.some((other) => other !== line && line.startsWith(other))).toSorted()
}
