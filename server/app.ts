import type { RequestListener } from 'node:http'
import cors from '@fastify/cors'
import { type FastifyInstance, fastify } from 'fastify'
import type { AllServices } from './all-services.ts'
import { authApi } from './auth/index.ts'
import { oauthDiscoveryRoutes } from './auth/oauth-server/discovery.ts'
import { feeds } from './feeds/index.ts'
import { functionsApi } from './functions/index.ts'
import { appConfigRoute, manifestRoute } from './http/app-config.ts'
import { callerPlugin } from './http/caller.ts'
import { corsOptions } from './http/cors.ts'
import { serverOptions } from './http/fastify-options.ts'
import { helmetOptions } from './http/helmet-options.ts'
import { createHttpServer } from './http/http-server.ts'
import { boundJsonDepth } from './http/json-depth.ts'
import type { RequestGuard } from './http/request-guard.ts'
import { logRequests, requestIds } from './http/request-log.ts'
import { observedResponses, ResponseObservers } from './http/response-observers.ts'
import { sandboxProxy } from './http/sandbox-proxy.ts'
import { securityHeaders } from './http/security-headers.ts'
import { webApp } from './http/web-app.ts'
import { outboxRoutes } from './mail/outbox-routes.ts'
import { healthRoutes } from './operations/health.ts'
import { metrics } from './operations/metrics.ts'
import { publicPages } from './public-pages/index.ts'
import { buildHeadReader } from './public-pages/read-head.ts'
import { realtimeApi } from './realtime/index.ts'
import { buildRestApi } from './rest/index.ts'
import { isRestUrl } from './rest/routes/match-route.ts'
import { storageApi } from './storage/index.ts'
import { s3Api } from './storage/s3/s3-api.ts'
import { buildParts } from './storage/storage-parts.ts'

/**
 * The table of contents: everything that responds on the one origin, in order. Node passes each request to one of two handlers: rest/v1's
 * or Fastify's, in which each API has its own scope and error format.
 */
export async function buildApp(services: AllServices, guard: RequestGuard): Promise<FastifyInstance> {
  const { bodyBudget, config, database, hasProductSchema, callers: resolver, log, telemetry, trustsProxy } = services
  const observers = new ResponseObservers()
  const rest = buildRestApi(services, observers)
  let handle: RequestListener = () => undefined
  const app = fastify({
    ...serverOptions(services),
    serverFactory: (handleByFastify) => {
      const handleAny: RequestListener = (request, response) =>
        isRestUrl(request.url) ? rest.handle(request, response) : handleByFastify(request, response)
      handle = telemetry?.traceRequests(handleAny, (peer) => trustsProxy(peer, 0)) ?? handleAny
      return createHttpServer(config, guard.protect(handle))
    },
  })
  app.addHook('onReady', async () => rest.start())
  app.addHook('onClose', () => rest.close())
  const files = buildParts(services)
  if (telemetry) observers.add((response) => telemetry.describeRequest(response))
  logRequests(log, observers)
  await app.register(observedResponses, { observers })
  await app.register(requestIds)
  await app.register(securityHeaders, helmetOptions(config))
  await app.register(metrics, { services, observers })
  await app.register(healthRoutes, { services })
  if (!hasProductSchema) return app // without our schemas, the database is served as it is, by rest/v1 alone, which needs none of them
  await app.register(async (api) => {
    await api.register(cors, corsOptions)
    const { anonymousBodyBytes } = config.http
    await api.register(callerPlugin, { resolver, database, anonymousBodyBytes, bodyBudget })
    boundJsonDepth(api)
    await api.register(authApi, { prefix: '/auth/v1', services })
    await api.register(oauthDiscoveryRoutes, { services })
    await api.register(storageApi(files), { prefix: '/storage/v1', services })
    await api.register(realtimeApi, { prefix: '/realtime/v1', services })
    await api.register(functionsApi, { prefix: '/functions/v1', services })
  })
  // Outside the scope above: its requests are signed, which identifies the caller in another way.
  await app.register(s3Api(files), { prefix: '/storage/v1/s3', services })
  await app.register(feeds, { services, links: files.links })
  await app.register(appConfigRoute, { services })
  await app.register(manifestRoute, { services })
  await app.register(sandboxProxy, { services })
  await app.register(outboxRoutes, { services })
  await app.register(publicPages, { services })
  await app.register(webApp, { services, handle, readHead: buildHeadReader(services) })
  return app
}
