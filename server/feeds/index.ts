import type { FastifyPluginAsync } from 'fastify'
import type { ApiOptions } from '../http/api.ts'
import { clientKey } from '../http/client-address.ts'
import { buildErrorTranslator } from '../http/error-translator.ts'
import type { LinkTokens } from '../storage/link-tokens.ts'
import { feedErrors } from './errors.ts'
import { privateFeedRoutes } from './routes/private-feed.ts'
import { publicFeedRoutes } from './routes/public-feed.ts'
import type { Services } from './services.ts'

/** Of all feeds together. A hosted reader looks at those of many creators for all of its users, from a few addresses. */
const readsOfAddress = { uses: 600, windowSeconds: 300 }

type Options = ApiOptions<Services> & { readonly links: LinkTokens }

/** Feeds for readers and podcast apps: everyone's (RSS-01) and a fan's own (RSS-02). */
export const feeds: FastifyPluginAsync<Options> = async (app, { services, links }) => {
  const { log, rateLimits, trustsProxy } = services
  const ofAddress = rateLimits.named('feeds', readsOfAddress)
  // No error of the database is the reader's.
  const translate = buildErrorTranslator(log, () => undefined)
  app.setErrorHandler((error: unknown, request, reply) => {
    const { status, message, headers } = translate(error, request.id)
    return reply.status(status).headers(headers).type('text/plain; charset=utf-8').send(`${message}\n`)
  })
  app.addHook('onRequest', async (request) => {
    const address = clientKey(request.raw, trustsProxy)
    const seconds = address === undefined ? 0 : await ofAddress.take(address)
    if (seconds > 0) throw feedErrors.tooManyReads(seconds)
  })
  await app.register(publicFeedRoutes, { services })
  await app.register(privateFeedRoutes, { services, links })
}
