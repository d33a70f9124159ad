import type { FastifyPluginAsync } from 'fastify'
import { productVersion } from '../../product-version.ts'

/** `GET /storage/v1/status` and `/version`, which Supabase's tools request before they send a file. Neither needs a key. */
export const serviceInfoRoutes: FastifyPluginAsync = async (app) => {
  app.get('/status', (_request, reply) => reply.send())
  app.get('/version', (_request, reply) => reply.type('text/plain; charset=utf-8').send(productVersion))
}
