import type { FastifyPluginAsync } from 'fastify'
import type { ApiOptions } from '../http/api.ts'
import { findMissingMemberships, findReplicationFaults } from '../postgres/outside-database.ts'
import { sql } from '../postgres/sql.ts'
import { freeBytes } from './free-bytes.ts'
import type { Services } from './services.ts'

/** Longer than this no part is waited for: it counts as failing. */
const patienceMs = 3_000

/** A disk that was full so long ago, and has not been since, may have room again: only writes can tell. */
const fullMs = 30_000

type Check = () => Promise<void>

/**
 * `GET /health/live`: the process answers. `GET /health/ready`: it can serve, else 503 naming the part that fails. It says 503 `starting`
 * until all of the product is there, and `stopping` once a stop is asked for.
 *
 * 503 takes this node out of a load balancer, so it's kept for what every request needs: the database, with the rights to become the roles
 * of requests. What leaves most of the site working is named with 200 `degraded`: a failing part that all nodes share would otherwise
 * take all of them out at once. In maintenance it says so beside the rest: the node is well, and has the page to show.
 */
export const healthRoutes: FastifyPluginAsync<ApiOptions<Services>> = async (app, { services }) => {
  const { needed, useful } = buildChecks(services)
  app.get('/health/live', async () => ({ status: 'ok' }))
  app.get('/health/ready', async (request, reply) => {
    const { state } = services.readiness
    if (state !== 'serving') return reply.status(503).header('Retry-After', '2').send({ status: state })
    const tell = (err: unknown, part: string) => request.log.error({ err, part }, 'not ready: a part does not answer')
    const maintenance = services.maintenance.message === undefined ? {} : { maintenance: true }
    const [unavailable, degraded] = await Promise.all([findFailing(needed, tell), findFailing(useful, tell)])
    if (unavailable.length > 0)
      return reply.status(503).send({ status: 'unavailable', failing: [...unavailable, ...degraded], ...maintenance })
    return degraded.length > 0
      ? { status: 'degraded', failing: degraded, ...maintenance }
      : { status: 'ok', ...maintenance }
  })
}

function buildChecks(services: Services): Record<'needed' | 'useful', Readonly<Record<string, Check>>> {
  const { config, database, hasProductSchema, store, redis } = services
  const isOutside = hasProductSchema && config.databaseUrl !== undefined
  const remember = (check: Check) => remembered(check, config.healthCacheSeconds * 1000)
  const requireMemberships = remember(async () => {
    const { user, roles } = await findMissingMemberships(database.requestUrl)
    if (roles.length > 0) throw new Error(`the role ${user} may not become ${roles.join(', ')}`)
  })
  const requireReplication = remember(async () => {
    const [fault] = await findReplicationFaults(database.ownerUrl, 'the database')
    if (fault) throw new Error(fault.seen)
  })
  return {
    needed: {
      database: async () => {
        await database.service.rows(sql`select 1`)
        if (database.wasFullWithin(fullMs)) throw new Error('its disk is full')
        if (isOutside) await requireMemberships()
      },
    },
    useful: {
      // A database that is not ours is served without storage/v1. Feed and sign-in work without files.
      ...(hasProductSchema && { storage: () => store.check() }),
      disk: async () => {
        const free = await freeBytes(config.dataDir)
        if (free < config.minFreeBytes)
          throw new Error(`DATA_DIR has ${Math.floor(free / 1024 ** 2)} MB free, and HEALTH_MIN_FREE_MB asks for more`)
      },
      ...(hasProductSchema && {
        realtime: async () => {
          const { failure } = services.realtime.state
          if (failure !== undefined) throw new Error(failure)
          if (isOutside) await requireReplication()
        },
      }),
      ...(redis && { redis: async () => void (await redis.commands.ping()) }),
    },
  }
}

async function findFailing(checks: Readonly<Record<string, Check>>, tell: (err: unknown, part: string) => void) {
  const outcomes = await Promise.all(
    Object.entries(checks).map(async ([part, check]) => {
      try {
        await withPatience(check())
        return []
      } catch (err) {
        if (part !== 'redis') tell(err, part) // logged once, where its connection is kept
        return [part]
      }
    }),
  )
  return outcomes.flat()
}

/** A check that opens a connection isn't repeated by everyone who asks. */
function remembered(check: Check, forMs: number): Check {
  let last: { readonly at: number; readonly outcome: Promise<void> } | undefined
  return () => {
    const now = performance.now()
    if (!last || now - last.at >= forMs) {
      last = { at: now, outcome: check() }
      last.outcome.catch(() => undefined) // told to everyone who asks for it
    }
    return last.outcome
  }
}

async function withPatience(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const impatience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${patienceMs / 1000} s`)), patienceMs)
  })
  try {
    await Promise.race([work, impatience])
  } finally {
    clearTimeout(timer)
  }
}
