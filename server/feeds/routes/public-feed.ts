import { publicFeedPath } from '@ovation/contract/feed-paths'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { ApiOptions } from '../../http/api.ts'
import { compressedAnswers } from '../../http/compress.ts'
import { readPresentUsername, sendRedirect } from '../../http/profile-redirects.ts'
import { DocumentCache } from '../document-cache.ts'
import { feedErrors } from '../errors.ts'
import { type FeedFormat, feedFormats } from '../feed.ts'
import { isKnown } from '../is-known.ts'
import { buildPublicFeed, publicFeedKey } from '../public-feed.ts'
import { feedTypes } from '../render-feed.ts'
import type { Services } from '../services.ts'

const usernamePattern = /^[a-z0-9_-]{3,30}$/

/** `GET` and `HEAD /profile/:username/feed.xml` and `feed.json` (RSS-01). */
export const publicFeedRoutes: FastifyPluginAsync<ApiOptions<Services>> = async (app, { services }) => {
  const documents = new DocumentCache(buildPublicFeed(services))
  /** After a change of username, readers find the feed at its new address, as browsers find the page (PAGE-02). */
  async function leadOn(reply: FastifyReply, username: string, format: FeedFormat) {
    const present = usernamePattern.test(username) ? await readPresentUsername(services, username) : null
    if (present === null) throw feedErrors.noSuchFeed()
    return sendRedirect(reply, { to: publicFeedPath(present, format), status: 302, cacheControl: 'no-cache' })
  }
  await app.register(compressedAnswers, { compressor: services.compressor, minBytes: 1000 })
  for (const format of feedFormats) {
    app.get<{ Params: { username: string } }>(`/profile/:username/feed.${format}`, async (request, reply) => {
      const username = request.params.username.toLowerCase()
      // Caches on the way ask each time, so a closed profile is gone from them too.
      reply.header('Cache-Control', 'public, no-cache')
      const document = usernamePattern.test(username) ? await documents.get(publicFeedKey(username, format)) : undefined
      if (!document) return await leadOn(reply, username, format)
      if (isKnown(request, reply, document)) return reply.header('Vary', 'Accept-Encoding').status(304).send()
      return reply.type(feedTypes[format]).send(document.body)
    })
  }
}
