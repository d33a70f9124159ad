import type { FastifyPluginAsync } from 'fastify'
import { handleRequest, type RestRoutes } from './handle.ts'

/** `/rest/v1/:name`: the rows of a table or a view. */
export const relationRoutes: FastifyPluginAsync<RestRoutes> = async (app, rest) => {
  app.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/:name',
    handler: (request, reply) => handleRequest(rest, 'relation', request, reply),
  })
}
