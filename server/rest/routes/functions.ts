import type { FastifyPluginAsync } from 'fastify'
import { handleRequest, type RestRoutes } from './handle.ts'

/** `/rest/v1/rpc/:name`: a function of the database. Methods other than these three are refused by the engine (PGRST101). */
export const functionRoutes: FastifyPluginAsync<RestRoutes> = async (app, rest) => {
  app.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/rpc/:name',
    handler: (request, reply) => handleRequest(rest, 'function', request, reply),
  })
}
