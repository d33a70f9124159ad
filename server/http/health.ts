import type { FastifyPluginAsync } from 'fastify'
import { sql } from '../postgres/sql.ts'
import type { DoorOptions } from '../services.ts'

/**
 * `GET /health/live`: the process answers. `GET /health/ready`: it can serve, else 503 naming the part that fails. The server
 * listens only once the database is migrated, so what can fail afterwards is the database itself and what depends on it.
 *
 * Without Redis a node serves on, alone (`redis.ts`), so that is told with 200 `degraded`: a 503 would make a load balancer take every
 * node out at once, and turn the loss of a cache into an outage.
 */
export const healthRoutes: FastifyPluginAsync<DoorOptions> = async (app, { services }) => {
  app.get('/health/live', async () => ({ status: 'ok' }))
  app.get('/health/ready', async (request, reply) => {
    try {
      await services.database.service.rows(sql`select 1`)
    } catch (err) {
      request.log.error({ err }, 'not ready: the database does not answer')
      return reply.status(503).send({ status: 'unavailable', failing: ['database'] })
    }
    try {
      await services.redis?.commands.ping()
    } catch {
      return { status: 'degraded', failing: ['redis'] } // logged once, where the connection is kept
    }
    return { status: 'ok' }
  })
}
