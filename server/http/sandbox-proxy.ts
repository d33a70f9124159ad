import type { FastifyPluginAsync } from 'fastify'
import type { ApiOptions } from './api.ts'
import type { Services } from './services.ts'

/**
 * The payment sandbox's hosted pages (checkout, onboarding) under `/sandbox`, so that a browser sees one origin. Only the pages:
 * the sandbox's API listens on loopback, for the Stripe SDK only. With a real Stripe, this does nothing.
 */
export const sandboxProxy: FastifyPluginAsync<ApiOptions<Services>> = async (app, { services: { sandboxUrl } }) => {
  if (sandboxUrl === undefined) return
  const { default: httpProxy } = await import('@fastify/http-proxy')
  await app.register(httpProxy, {
    upstream: sandboxUrl,
    prefix: '/sandbox',
    rewritePrefix: '/sandbox',
    disableRequestLogging: true, // its lines would contain the query; request-log.ts writes ours
  })
}
