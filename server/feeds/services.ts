import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { TrustsProxy } from '../http/client-address.ts'
import type { Compressor } from '../http/compress.ts'
import type { RateLimits } from '../http/rate-limiter.ts'
import type { Database } from '../postgres/database.ts'
import type { Secrets } from '../secrets.ts'

/** What feeds need of the server. */
export type Services = {
  readonly config: Config
  readonly secrets: Secrets
  readonly log: FastifyBaseLogger
  readonly database: Database
  readonly trustsProxy: TrustsProxy
  readonly rateLimits: RateLimits
  readonly compressor: Compressor
  siteUrl(): string
}
