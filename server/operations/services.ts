import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Counters } from '../http/counters.ts'
import type { Maintenance } from '../http/maintenance.ts'
import type { Jobs } from '../jobs/index.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { StripeService } from '../payments/stripe.ts'
import type { Database } from '../postgres/database.ts'
import type { Processes } from '../processes.ts'
import type { Readiness } from '../readiness.ts'
import type { RealtimeStatus } from '../realtime/realtime-status.ts'
import type { RedisService } from '../redis.ts'
import type { ObjectStore } from '../storage/object-store.ts'
import type { Telemetry } from '../telemetry.ts'

/** The services that health and metrics check. */
export type Services = {
  readonly config: Config
  readonly log: FastifyBaseLogger
  readonly database: Database
  readonly hasProductSchema: boolean
  readonly mailer: Mailer
  readonly stripe: StripeService
  readonly store: ObjectStore
  readonly jobs: Jobs
  readonly redis: RedisService | undefined
  readonly realtime: RealtimeStatus
  readonly readiness: Readiness
  readonly maintenance: Maintenance
  readonly counters: Counters
  readonly processes: Processes
  readonly telemetry: Telemetry | undefined
}
