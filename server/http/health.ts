import type { FastifyPluginAsync } from 'fastify'
import { sql } from '../postgres/sql.ts'
import type { DoorOptions } from '../services.ts'

/**
 * `GET /health/live`: the process answers. `GET /health/ready`: it can serve, else 503 naming the part that fails. The server
 * listens only once the database is migrated, so what can fail afterwards is the database itself, the place where files lie, and
 * what depends on them.
 *
 * Without Redis a node serves on, alone (`redis.ts`), so that is told with 200 `degraded`: a 503 would make a load balancer take every
 * node out at once, and turn the loss of a cache into an outage.
 */
export const healthRoutes: FastifyPluginAsync<DoorOptions> = async (app, { services }) => {
  app.get('/health/live', async () => ({ status: 'ok' }))
  app.get('/health/ready', async (request, reply) => {
    const checks = {
      database: () => services.database.service.rows(sql`select 1`),
      // A database that is not ours is served without storage/v1.
      ...(services.isOurs && { storage: () => services.store.check() }),
    }
    const failing: string[] = []
    for (const [part, check] of Object.entries(checks)) {
      await check().catch((err: unknown) => {
        request.log.error({ err, part }, 'not ready: a part does not answer')
        failing.push(part)
      })
    }
    if (failing.length > 0) return reply.status(503).send({ status: 'unavailable', failing })
    try {
      await services.redis?.commands.ping()
    } catch {
      return { status: 'degraded', failing: ['redis'] } // logged once, where the connection is kept
    }
    return { status: 'ok' }
  })
}
