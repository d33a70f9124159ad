import type { FastifyPluginAsync } from 'fastify'
import type { ApiOptions } from '../../http/api.ts'
import { compressedAnswers } from '../../http/compress.ts'
import { DocumentCache } from '../document-cache.ts'
import { feedErrors } from '../errors.ts'
import { feedFormats } from '../feed.ts'
import { isKnown } from '../is-known.ts'
import { buildPublicFeed, publicFeedKey } from '../public-feed.ts'
import { feedTypes } from '../render-feed.ts'
import type { Services } from '../services.ts'

const usernamePattern = /^[a-z0-9_-]{3,30}$/

/** `GET` and `HEAD /profile/:username/feed.xml` and `feed.json` (RSS-01). */
export const publicFeedRoutes: FastifyPluginAsync<ApiOptions<Services>> = async (app, { services }) => {
  const documents = new DocumentCache(buildPublicFeed(services))
  await app.register(compressedAnswers, { compressor: services.compressor, minBytes: 1000 })
  for (const format of feedFormats) {
    app.get<{ Params: { username: string } }>(`/profile/:username/feed.${format}`, async (request, reply) => {
      const username = request.params.username.toLowerCase()
      // Caches on the way ask each time, so a closed profile is gone from them too.
      reply.header('Cache-Control', 'public, no-cache')
      const document = usernamePattern.test(username) ? await documents.get(publicFeedKey(username, format)) : undefined
      if (!document) throw feedErrors.noSuchFeed()
      if (isKnown(request, reply, document)) return reply.header('Vary', 'Accept-Encoding').status(304).send()
      return reply.type(feedTypes[format]).send(document.body)
    })
  }
}
