import type { FastifyPluginAsync } from 'fastify'
import type { Config } from '../../config.ts'
import type { Caller } from '../../postgres/caller.ts'
import type { Services } from '../../services.ts'
import type { RestEngine } from '../engine.ts'
import { restErrors } from '../errors.ts'
import { describeApi } from '../open-api.ts'
import { negotiate } from '../parse/media-type.ts'

/** @throws GatewayError 401, 403 or 404. */
function requireMayDescribe(mode: Config['apiOpenApi'], { role }: Caller) {
  if (mode === 'disabled') throw restErrors.noDescription()
  if (mode === 'everyone' || role === 'service_role') return
  throw role === 'anon' ? restErrors.describedAnonymously() : restErrors.describedToService()
}

type RootOptions = { readonly engine: RestEngine; readonly services: Services }

/** `GET /rest/v1/`: the OpenAPI description of what is exposed. */
export const rootRoute: FastifyPluginAsync<RootOptions> = async (app, { engine, services: { config, siteUrl } }) => {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/',
    async handler({ headers, caller }, reply) {
      requireMayDescribe(config.apiOpenApi, caller)
      const media = negotiate(headers.accept, { openapi: true })
      const profile = headers['accept-profile']
      const schema = typeof profile === 'string' ? profile : (config.apiSchemas[0] ?? 'public')
      if (!config.apiSchemas.includes(schema)) throw restErrors.schema(schema, config.apiSchemas)
      const description = describeApi(await engine.catalogue.get(), schema, siteUrl())
      if (typeof profile === 'string') reply.header('content-profile', schema)
      return reply.header('content-type', media.contentType).send(JSON.stringify(description))
    },
  })
}
