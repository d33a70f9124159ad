import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { buildCallerResolver } from './http/caller.ts'
import { RateLimits } from './http/rate-limiter.ts'
import { buildTokens } from './http/tokens.ts'
import { addAftermathJobs } from './jobs/aftermath.ts'
import { Jobs } from './jobs/index.ts'
import { addPassingTimeJobs } from './jobs/passing-time.ts'
import { addVideosJob } from './jobs/videos.ts'
import { buildMailer } from './mail/mailer.ts'
import { addNotificationJobs } from './notifications/notification-jobs.ts'
import { addEventJobs } from './payments/event-jobs.ts'
import { buildStripe } from './payments/stripe.ts'
import { Database } from './postgres/database.ts'
import { applyOperatorSettings } from './postgres/operator-settings.ts'
import { searchPathOf } from './postgres/sql.ts'
import { openRedis } from './redis.ts'
import type { Secrets } from './secrets.ts'
import type { Services } from './services.ts'
import { buildStore } from './storage/build-store.ts'

/** Jobs wait for one another. What was paid for opens while requests are turned away. */
const jobConnections = 2

export type GatewayOptions = {
  readonly config: Config
  readonly secrets: Secrets
  readonly log: FastifyBaseLogger
  /** Connection string of the login role that serves requests. */
  readonly requestUrl: string
  /** Connection string of the database's owner. */
  readonly ownerUrl: string
  /** Whether the database has our schemas; else it is served as it is, by rest/v1 alone. */
  readonly isOurs: boolean
  /** Where the payment sandbox listens; undefined with a real Stripe. */
  readonly sandboxUrl: string | undefined
}

export type Gateway = {
  readonly app: FastifyInstance
  /** The address it listens on, e.g. `http://127.0.0.1:8000`. */
  readonly url: string
  readonly services: Services
  /** Stops in reverse order of the start: no new requests, then the jobs, then Redis and the database. */
  close(): Promise<void>
}

/** Builds what the doors share on a migrated database, and listens. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { config, secrets, log, isOurs } = options
  const redis = config.redisUrl ? await openRedis({ url: config.redisUrl, secrets, log }) : undefined
  const access = {
    requestUrl: options.requestUrl,
    ownerUrl: options.ownerUrl,
    searchPath: searchPathOf(config.apiSchemas[0] ?? 'public', config.apiExtraSearchPath),
    statementTimeoutMs: config.statementTimeoutMs,
    connectionSettings: { 'app.encryption_key': secrets.encryptionKey },
  }
  const { databaseConnections: connections, databaseMaxWaiting: maxWaiting } = config
  const database = new Database({ ...access, connections, maxWaiting })
  const background = new Database({ ...access, connections: jobConnections, maxWaiting: Number.POSITIVE_INFINITY })
  if (isOurs) await applyOperatorSettings(database.service, config)
  let listening: string | undefined
  const tokens = await buildTokens(secrets.jwtSecret, config.keys.jwtSigningKeys, config.keys.jwtAudience)
  const store = buildStore(config)
  const jobs = new Jobs({ ownerUrl: options.ownerUrl, log })
  const services: Services = {
    config,
    secrets,
    log,
    database,
    background,
    isOurs,
    tokens,
    callers: buildCallerResolver(secrets, tokens),
    mailer: buildMailer(config),
    stripe: buildStripe(config, secrets, options.sandboxUrl),
    store,
    jobs,
    videos: addVideosJob({ config, database: background, store, jobs, log }),
    redis,
    rateLimits: new RateLimits(redis),
    sandboxUrl: options.sandboxUrl,
    siteUrl: () => config.siteUrl ?? listening ?? `http://${config.host}:${config.port}`,
  }
  const forJobs: Services = { ...services, database: background }
  addEventJobs(jobs, forJobs)
  addAftermathJobs(forJobs)
  addPassingTimeJobs(forJobs)
  const pushes = addNotificationJobs(forJobs)
  const app = await buildApp(services)
  if (isOurs) {
    await services.jobs.start()
    await pushes.listen()
  }
  // Fastify hands these on to Node, and its types know fewer.
  const address = { host: config.host, port: config.port, reusePort: config.sharesPort }
  listening = await app.listen(address)
  return {
    app,
    url: listening,
    services,
    async close() {
      await app.close()
      services.videos.stop()
      await pushes.close()
      await services.jobs.stop()
      await redis?.close()
      await background.close()
      await database.close()
    },
  }
}
