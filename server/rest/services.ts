import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { BodyBudget } from '../http/body-budget.ts'
import type { CallerResolver } from '../http/caller.ts'
import type { TrustsProxy } from '../http/client-address.ts'
import type { Compressor } from '../http/compress.ts'
import type { RateLimits } from '../http/rate-limiter.ts'
import type { Database } from '../postgres/database.ts'

/** The services that rest/v1 needs. */
export type Services = {
  readonly config: Config
  readonly log: FastifyBaseLogger
  readonly database: Database
  readonly callers: CallerResolver
  readonly bodyBudget: BodyBudget
  readonly trustsProxy: TrustsProxy
  readonly rateLimits: RateLimits
  readonly compressor: Compressor
  siteUrl(): string
}
