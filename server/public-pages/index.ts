import type { FastifyError, FastifyPluginAsync } from 'fastify'
import type { ApiOptions } from '../http/api.ts'
import { compressedAnswers } from '../http/compress.ts'
import { buildErrorTranslator } from '../http/error-translator.ts'
import { GatewayError } from '../http/errors.ts'
import { cardRoutes } from './routes/cards.ts'
import { linkRoutes } from './routes/links.ts'
import { oEmbedRoute } from './routes/oembed.ts'
import { robotsRoute } from './routes/robots.ts'
import { sharePictureRoutes } from './routes/share-pictures.ts'
import { sitemapRoutes } from './routes/sitemaps.ts'
import type { Services } from './services.ts'

/** What search engines and other sites request, beside the head of each document (`read-head.ts`). */
export const publicPages: FastifyPluginAsync<ApiOptions<Services>> = async (app, { services }) => {
  const translate = buildErrorTranslator(services.log, () => undefined, fromFastify)
  app.setErrorHandler((error: unknown, request, reply) => {
    const { status, message, headers } = translate(error, request.id)
    return reply.status(status).headers(headers).send({ message })
  })
  await app.register(compressedAnswers, { compressor: services.compressor })
  await app.register(robotsRoute, { services })
  await app.register(sitemapRoutes, { services })
  await app.register(oEmbedRoute, { services })
  await app.register(cardRoutes, { services })
  await app.register(sharePictureRoutes, { services })
  await app.register(linkRoutes, { services })
}

/** A parameter that the route's schema rejects. */
const fromFastify = ({ code, message }: Partial<FastifyError>) =>
  code === 'FST_ERR_VALIDATION' ? new GatewayError(400, 'validation_failed', message ?? '') : undefined
