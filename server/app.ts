import cors from '@fastify/cors'
import { type FastifyInstance, fastify } from 'fastify'
import { authApi } from './auth/index.ts'
import { oauthDiscoveryRoutes } from './auth/oauth-server/discovery.ts'
import { functionsApi } from './functions/index.ts'
import { appConfigRoute, manifestRoute } from './http/app-config.ts'
import { callerPlugin } from './http/caller.ts'
import { healthRoutes } from './http/health.ts'
import { boundJsonDepth } from './http/json-depth.ts'
import { metrics } from './http/metrics.ts'
import { corsOptions, helmetOptions, rowHelmetOptions, serverOptions } from './http/options.ts'
import { requestLog } from './http/request-log.ts'
import { sandboxProxy } from './http/sandbox-proxy.ts'
import { securityHeaders } from './http/security-headers.ts'
import { webApp } from './http/web-app.ts'
import { outboxRoutes } from './mail/outbox-routes.ts'
import { realtimeApi } from './realtime/index.ts'
import { restApi } from './rest/index.ts'
import type { Services } from './services.ts'
import { storageApi } from './storage/index.ts'
import { s3Api } from './storage/s3/s3-api.ts'
import { buildParts } from './storage/storage-parts.ts'

/** The table of contents: what answers on the one origin, in order. Each API has a scope of its own, and its own error shape. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { config, database, hasProductSchema, callers: resolver } = services
  const app = fastify(serverOptions(services))
  const files = buildParts(services)
  await app.register(requestLog)
  await app.register(securityHeaders, { pages: helmetOptions(config), rows: rowHelmetOptions(config) })
  await app.register(metrics, { services })
  await app.register(healthRoutes, { services })
  await app.register(async (api) => {
    await api.register(cors, corsOptions)
    const { anonymousBodyBytes } = config.http
    await api.register(callerPlugin, { resolver, database, anonymousBodyBytes })
    boundJsonDepth(api)
    await api.register(restApi, { prefix: '/rest/v1', services })
    if (!hasProductSchema) return // a database without our schemas is served as it is, and only by the API that needs none of them
    await api.register(authApi, { prefix: '/auth/v1', services })
    await api.register(oauthDiscoveryRoutes, { services })
    await api.register(storageApi(files), { prefix: '/storage/v1', services })
    await api.register(realtimeApi, { prefix: '/realtime/v1', services })
    await api.register(functionsApi, { prefix: '/functions/v1', services })
  })
  if (!hasProductSchema) return app
  // Outside the scope above: its requests are signed, and say otherwise who is calling.
  await app.register(s3Api(files), { prefix: '/storage/v1/s3', services })
  await app.register(appConfigRoute, { services })
  await app.register(manifestRoute, { services })
  await app.register(sandboxProxy, { services })
  await app.register(outboxRoutes, { services })
  await app.register(webApp, { services })
  return app
}
