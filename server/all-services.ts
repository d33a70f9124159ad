import type { FastifyBaseLogger } from 'fastify'
import type { BackgroundWork } from './background-work.ts'
import type { Config } from './config.ts'
import type { Exchange } from './exchange/exchange.ts'
import type { BodyBudget } from './http/body-budget.ts'
import type { CallerResolver } from './http/caller.ts'
import type { TrustsProxy } from './http/client-address.ts'
import type { Compressor } from './http/compress.ts'
import type { Counters } from './http/counters.ts'
import type { Maintenance } from './http/maintenance.ts'
import type { RateLimits } from './http/rate-limiter.ts'
import type { Tokens } from './http/tokens.ts'
import type { Jobs } from './jobs/index.ts'
import type { Mailer } from './mail/mailer.ts'
import type { StripeService } from './payments/stripe.ts'
import type { Database } from './postgres/database.ts'
import type { Processes } from './processes.ts'
import type { Readiness } from './readiness.ts'
import type { RealtimeStatus } from './realtime/realtime-status.ts'
import type { RedisService } from './redis.ts'
import type { Secrets } from './secrets.ts'
import type { ObjectStore } from './storage/object-store.ts'
import type { Videos } from './storage/video/videos.ts'
import type { Telemetry } from './telemetry.ts'

/** Everything the APIs share, built once by `gateway.ts` and passed to each as a plugin option. */
export type AllServices = {
  readonly config: Config
  readonly secrets: Secrets
  readonly log: FastifyBaseLogger
  readonly database: Database
  /** The jobs' own connections, which are never rejected because many requests wait. */
  readonly background: Database
  /** Work that requests have left for after their responses. */
  readonly backgroundWork: BackgroundWork
  /** Whether the database has our schemas. False only for an external one that wasn't to be migrated (`MIGRATE=0`). */
  readonly hasProductSchema: boolean
  readonly tokens: Tokens
  readonly callers: CallerResolver
  readonly bodyBudget: BodyBudget
  /** The proxies that may forward others' requests (`TRUSTED_PROXIES`), for `clientAddress`. */
  readonly trustsProxy: TrustsProxy
  readonly mailer: Mailer
  readonly stripe: StripeService
  /** Where files are stored: on disk or in S3. */
  readonly store: ObjectStore
  /** Posters and streams of uploaded videos. */
  readonly videos: Videos
  /** Background work; starts and stops with the gateway. */
  readonly jobs: Jobs
  /** Undefined if this is the only node. */
  readonly redis: RedisService | undefined
  /** What all processes share; undefined if this is the only one. */
  readonly exchange: Exchange | undefined
  /** Whether row changes are being read, and if not, why. */
  readonly realtime: RealtimeStatus
  readonly readiness: Readiness
  /** Whether the operator has closed the site for maintenance. */
  readonly maintenance: Maintenance
  /** Counters of this process. */
  readonly counters: Counters
  /** The processes of this node, for figures of all of them. */
  readonly processes: Processes
  /** Traces and metrics for a collector; undefined if there is none. */
  readonly telemetry: Telemetry | undefined
  /** The rate limits, counted by all nodes together. */
  readonly rateLimits: RateLimits
  /** Compresses large responses. */
  readonly compressor: Compressor
  /** Where the payment sandbox listens; undefined with a real Stripe. */
  readonly sandboxUrl: string | undefined
  /** The origin that browsers use, without a trailing slash. Final once the server listens. */
  siteUrl(): string
}
