import type { FastifyPluginAsync } from 'fastify'
import type { ApiOptions } from '../http/api.ts'
import { sql } from '../postgres/sql.ts'
import {
  isOutside,
  MissingMemberships,
  requireFreeSpace,
  requireMemberships,
  requireReplication,
  requireWritable,
} from './requirements.ts'
import type { Services } from './services.ts'

/** No check is awaited for longer: it counts as failed. */
const patienceMs = 3_000

type Check = () => Promise<void>
type Failure = { readonly part: string; readonly reason: unknown }

/**
 * `GET /health/live`: the process responds. `GET /health/ready`: it can serve, or 503 naming the failing service. It returns 503 `starting`
 * until the whole product is up, and `stopping` once a shutdown begins.
 *
 * 503 removes this node from a load balancer, so it is reserved for what every request needs: the database, with permission to become the
 * roles of requests. Failures that leave most of the site working, such as a lost primary while a replica answers reads, return 200 `degraded`:
 * a failing service that all nodes share would otherwise remove all of them at once. Maintenance is reported in addition: the node is well,
 * and has the page to show.
 */
export const healthRoutes: FastifyPluginAsync<ApiOptions<Services>> = async (app, { services }) => {
  const { needed, useful } = buildChecks(services)
  app.get('/health/live', async () => ({ status: 'ok' }))
  app.get('/health/ready', async (request, reply) => {
    const { state } = services.readiness
    if (state !== 'serving') return reply.status(503).header('Retry-After', '2').send({ status: state })
    const tell = (err: unknown, part: string) =>
      request.log.error({ err, part }, 'not ready: a service does not respond')
    const maintenance = services.maintenance.message === undefined ? {} : { maintenance: true }
    const [unavailable, degraded] = await Promise.all([findFailing(needed, tell), findFailing(useful, tell)])
    const failing = [...unavailable, ...degraded].map(({ part }) => part)
    if (unavailable.length > 0 && !(await canReadOnly(services, unavailable)))
      return reply.status(503).send({ status: 'unavailable', failing, ...maintenance })
    return failing.length > 0 ? { status: 'degraded', failing, ...maintenance } : { status: 'ok', ...maintenance }
  })
}

function buildChecks(services: Services): Record<'needed' | 'useful', Readonly<Record<string, Check>>> {
  const { config, database, hasProductSchema, store, redis } = services
  const mayLosePermissions = isOutside(services)
  const remember = (check: Check) => remembered(check, config.healthCacheSeconds * 1000)
  const memberships = remember(() => requireMemberships(database))
  const replication = remember(() => requireReplication(database))
  return {
    needed: {
      database: async () => {
        await database.service.rows(sql`select 1`)
        requireWritable(database)
        if (mayLosePermissions) await memberships()
      },
    },
    useful: {
      // An external database is served without storage/v1. The feed and sign-in work without files.
      ...(hasProductSchema && { storage: () => store.check() }),
      disk: () => requireFreeSpace(config),
      ...(hasProductSchema && {
        realtime: async () => {
          const { failure } = services.realtime.state
          if (failure !== undefined) throw new Error(failure)
          if (mayLosePermissions) await replication()
        },
      }),
      ...(redis && { redis: async () => void (await redis.commands.ping()) }),
    },
  }
}

/** Whether replicas answer in place of the database. */
async function canReadOnly({ database }: Services, failing: readonly Failure[]): Promise<boolean> {
  if (failing.some(({ reason }) => reason instanceof MissingMemberships)) return false
  return withPatience(database.canRead()).catch(() => false)
}

async function findFailing(
  checks: Readonly<Record<string, Check>>,
  tell: (err: unknown, part: string) => void,
): Promise<Failure[]> {
  const outcomes = await Promise.all(
    Object.entries(checks).map(async ([part, check]) => {
      try {
        await withPatience(check())
        return []
      } catch (reason) {
        if (part !== 'redis') tell(reason, part) // logged once, where its connection is kept
        return [{ part, reason }]
      }
    }),
  )
  return outcomes.flat()
}

/** Shares a check that opens a connection among concurrent requests. */
function remembered(check: Check, forMs: number): Check {
  let last: { readonly at: number; readonly outcome: Promise<void> } | undefined
  return () => {
    const now = performance.now()
    if (!last || now - last.at >= forMs) {
      last = { at: now, outcome: check() }
      last.outcome.catch(() => undefined) // reported to everyone who awaits it
    }
    return last.outcome
  }
}

async function withPatience<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const impatience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${patienceMs / 1000} s`)), patienceMs)
  })
  try {
    return await Promise.race([work, impatience])
  } finally {
    clearTimeout(timer)
  }
}
