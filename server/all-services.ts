import type { FastifyBaseLogger } from 'fastify'
import type { BackgroundWork } from './background-work.ts'
import type { Config } from './config.ts'
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

/** What the server is made of, built once by `gateway.ts`. Each folder takes the part that its own `services.ts` names. */
export type AllServices = {
  readonly config: Config
  readonly secrets: Secrets
  readonly log: FastifyBaseLogger
  readonly database: Database
  /** Connections of the jobs: beside those of requests, and never refused because many people wait for one of those. */
  readonly background: Database
  /** What requests left to be done after their answers. */
  readonly backgroundWork: BackgroundWork
  /** Whether the database has our schemas. False only for an outside one that was not to be migrated (`MIGRATE=0`). */
  readonly hasProductSchema: boolean
  readonly tokens: Tokens
  readonly callers: CallerResolver
  /** Which peers may say whose request they forward (`TRUSTED_PROXIES`); `clientAddress` takes it. */
  readonly trustsProxy: TrustsProxy
  readonly mailer: Mailer
  readonly stripe: StripeService
  /** Where files lie: the disk, or S3. */
  readonly store: ObjectStore
  /** Posters and streams of uploaded videos. */
  readonly videos: Videos
  /** Background work; started with the gateway and stopped with it. */
  readonly jobs: Jobs
  /** Undefined when this node is the only one. */
  readonly redis: RedisService | undefined
  /** Whether row changes are read, and why not. */
  readonly realtime: RealtimeStatus
  readonly readiness: Readiness
  /** Whether the operator has closed the site for a while. */
  readonly maintenance: Maintenance
  /** What this process counts as it happens. */
  readonly counters: Counters
  /** The processes of this node, for figures of all of them. */
  readonly processes: Processes
  /** How often who may do what, counted by all nodes together. */
  readonly rateLimits: RateLimits
  /** Makes large answers smaller. */
  readonly compressor: Compressor
  /** Where the payment sandbox listens; undefined with a real Stripe. */
  readonly sandboxUrl: string | undefined
  /** The origin that people's browsers use, without a trailing slash. Known for certain once the server listens. */
  siteUrl(): string
}
