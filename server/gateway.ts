import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { AllServices } from './all-services.ts'
import { buildApp } from './app.ts'
import { BackgroundWork } from './background-work.ts'
import type { Config } from './config.ts'
import type { Exchange } from './exchange/exchange.ts'
import { LocalExchange } from './exchange/local-exchange.ts'
import { RedisExchange } from './exchange/redis-exchange.ts'
import { BodyBudget } from './http/body-budget.ts'
import { buildCallerResolver } from './http/caller.ts'
import { compileTrustedProxies } from './http/client-address.ts'
import { Compressor } from './http/compress.ts'
import { Counters } from './http/counters.ts'
import { EndedSessions } from './http/ended-sessions.ts'
import { Maintenance } from './http/maintenance.ts'
import { RateLimits } from './http/rate-limiter.ts'
import { buildRequestGuard } from './http/request-guard.ts'
import { buildTokens } from './http/tokens.ts'
import { Jobs } from './jobs/index.ts'
import { countMails } from './mail/count-mails.ts'
import { buildMailer } from './mail/mailer.ts'
import { listenForMassMessages } from './mass-messages/send-mass-messages.ts'
import { listenForPushes } from './notifications/push-listener.ts'
import { buildStripe } from './payments/stripe.ts'
import { listenForPaymentTasks } from './payments/tasks/task-listener.ts'
import { buildEventJob } from './payments/webhooks/event-job.ts'
import { Database } from './postgres/database.ts'
import { applyOperatorSettings } from './postgres/operator-settings.ts'
import { searchPathOf } from './postgres/sql.ts'
import { Processes } from './processes.ts'
import { Readiness } from './readiness.ts'
import { RealtimeStatus } from './realtime/realtime-status.ts'
import { openRedis } from './redis.ts'
import { listScheduledJobs } from './scheduled-jobs.ts'
import type { Secrets } from './secrets.ts'
import { buildStore } from './storage/build-store.ts'
import { buildVideos } from './storage/video/videos.ts'
import type { Telemetry } from './telemetry.ts'

/** Jobs wait for one another, so that purchases still unlock while requests are rejected. */
const jobConnections = 2

export type GatewayOptions = {
  readonly config: Config
  readonly secrets: Secrets
  readonly log: FastifyBaseLogger
  /** Connection string of the login role that serves requests. */
  readonly requestUrl: string
  /** Connection string of the database's owner. */
  readonly ownerUrl: string
  /** Whether the database has our schemas. If not, rest/v1 alone serves it as it is. */
  readonly hasProductSchema: boolean
  /** Where the payment sandbox listens; undefined with a real Stripe. */
  readonly sandboxUrl: string | undefined
  /** What `/health/ready` reports for the process as a whole. If left out, the process is ready at once. */
  readonly readiness?: Readiness
  /** The other processes of this node; none if left out. */
  readonly processes?: Processes
  /** What they share with this one, unless all nodes share a Redis. */
  readonly exchange?: Exchange | undefined
  /** Traces and metrics for a collector; none if left out. */
  readonly telemetry?: Telemetry | undefined
}

export type Gateway = {
  readonly app: FastifyInstance
  /** The address it listens on, for example `http://127.0.0.1:8000`. */
  readonly url: string
  readonly services: AllServices
  /** Closes connections to the database that nobody uses now. */
  closeFreeConnections(): void
  /** Takes no new connections, and waits for open requests for up to SHUTDOWN_GRACE_SECONDS. */
  drain(): Promise<void>
  /** Shuts down in reverse order of the start: new requests first, then their background work, the jobs, and last Redis and the database. */
  close(): Promise<void>
}

/** Builds everything the APIs share on a migrated database, and listens. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { config, secrets, log, hasProductSchema, telemetry } = options
  const redis = config.redisUrl ? await openRedis({ url: config.redisUrl, secrets, log }) : undefined
  const exchange = redis ? new RedisExchange(redis, log) : options.exchange
  const access = {
    requestUrl: options.requestUrl,
    ownerUrl: options.ownerUrl,
    searchPath: searchPathOf(config.apiSchemas[0] ?? 'public', config.apiExtraSearchPath),
    statementTimeoutMs: config.statementTimeoutMs,
    encryptionKey: secrets.encryptionKey,
    sharesSessions: config.databasePooling === 'transaction',
    reusesStatements: config.databasePreparedStatements,
    telemetry,
  }
  const { databaseConnections: connections, databaseMaxWaiting: maxWaiting } = config
  const { anonConnectionsPercent, connectionsPerAddress, databaseSecondsPerMinute } = config.apiLimits
  const shares = {
    visitors: Math.max(1, Math.floor((connections * anonConnectionsPercent) / 100)),
    perClient: connectionsPerAddress,
    secondsPerMinute: databaseSecondsPerMinute,
  }
  const replicas = { urls: config.databaseReplicaUrls, exchange: exchange ?? new LocalExchange(() => undefined) }
  const database = new Database({ ...access, connections, warmConnections: 1, maxWaiting, shares, replicas })
  const background = new Database({
    ...access,
    connections: jobConnections,
    warmConnections: 0, // no one waits for a job
    maxWaiting: Number.POSITIVE_INFINITY,
  })
  if (hasProductSchema) await applyOperatorSettings(database.service, config)
  let listening: string | undefined
  const tokens = await buildTokens(secrets.jwtSecret, config.keys.jwtSigningKeys, config.keys.jwtAudience)
  const ended = new EndedSessions({ database: background, tokenSeconds: config.auth.jwtExp, log })
  if (hasProductSchema) await ended.start()
  const store = await buildStore(config)
  const jobs = new Jobs({ ownerUrl: options.ownerUrl, log, telemetry })
  const counters = new Counters()
  const trustsProxy = compileTrustedProxies(config.trustedProxies)
  const services: AllServices = {
    config,
    secrets,
    log,
    database,
    background,
    backgroundWork: new BackgroundWork(),
    hasProductSchema,
    tokens,
    callers: buildCallerResolver(secrets, tokens, ended),
    bodyBudget: new BodyBudget(config.http, trustsProxy),
    trustsProxy,
    mailer: countMails(buildMailer(config), (outcome) => counters.countMail(outcome)),
    stripe: buildStripe(config, secrets, options.sandboxUrl),
    store,
    jobs,
    videos: buildVideos({ config, database: background, store, jobs, log }),
    redis,
    exchange,
    realtime: new RealtimeStatus(),
    rateLimits: new RateLimits(exchange),
    compressor: new Compressor(config.http.compressMinBytes, log),
    readiness: options.readiness ?? new Readiness(),
    maintenance: new Maintenance(config.dataDir),
    counters,
    processes: options.processes ?? new Processes(),
    telemetry,
    sandboxUrl: options.sandboxUrl,
    siteUrl: () => config.siteUrl ?? listening ?? `http://${config.host}:${config.port}`,
  }
  const forJobs: AllServices = { ...services, database: background }
  jobs.add(buildEventJob(forJobs))
  for (const job of listScheduledJobs(forJobs)) jobs.add(job)
  const pushes = listenForPushes(forJobs)
  const massMessages = listenForMassMessages(forJobs)
  const paymentTasks = listenForPaymentTasks(forJobs, options.ownerUrl)
  const guard = buildRequestGuard(services)
  const app = await buildApp(services, guard)
  await app.ready()
  guard.watch(app.server)
  const drain = () => guard.drain(config.shutdownGraceMs)
  if (hasProductSchema) {
    await services.jobs.start()
    await pushes.listen()
    await massMessages.listen()
    await paymentTasks.listen()
  }
  // Fastify passes these on to Node, but its types know fewer.
  const address = { host: config.host, port: config.port, reusePort: config.sharesPort }
  listening = await app.listen(address)
  return {
    app,
    url: listening,
    services,
    drain,
    closeFreeConnections() {
      // One that can't be opened or closed is reported to the next request that needs it.
      for (const pool of [database, background]) pool.closeFree().catch(() => undefined)
    },
    async close() {
      services.readiness.stop()
      await drain()
      await app.close()
      await services.backgroundWork.drain(config.shutdownGraceMs)
      services.videos.stop()
      await pushes.close()
      await massMessages.close()
      await paymentTasks.close()
      await ended.stop()
      await services.jobs.stop()
      await redis?.close()
      await background.close()
      await database.close()
    },
  }
}
