import type { FastifyPluginAsync } from 'fastify'
import type { RestEngine } from '../engine.ts'
import { handleRequest } from './handle.ts'

/** `/rest/v1/:name`: the rows of a table or a view. */
export const relationRoutes: FastifyPluginAsync<{ engine: RestEngine }> = async (app, { engine }) => {
  app.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/:name',
    handler: (request, reply) => handleRequest(engine, 'relation', request, reply),
  })
}
