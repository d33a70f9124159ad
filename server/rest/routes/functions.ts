import type { FastifyPluginAsync } from 'fastify'
import type { RestEngine } from '../engine.ts'
import { handleRequest } from './handle.ts'

/** `/rest/v1/rpc/:name`: a function of the database. Methods other than these three are refused by the engine (PGRST101). */
export const functionRoutes: FastifyPluginAsync<{ engine: RestEngine }> = async (app, { engine }) => {
  app.route<{ Params: { name: string } }>({
    method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/rpc/:name',
    handler: (request, reply) => handleRequest(engine, 'function', request, reply),
  })
}
