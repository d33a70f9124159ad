import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { TrustsProxy } from '../http/client-address.ts'
import type { Compressor } from '../http/compress.ts'
import type { RateLimits } from '../http/rate-limiter.ts'
import type { Database } from '../postgres/database.ts'

/** What the pages for search engines and other sites need of the server. */
export type Services = {
  readonly config: Config
  readonly log: FastifyBaseLogger
  readonly database: Database
  readonly trustsProxy: TrustsProxy
  readonly rateLimits: RateLimits
  readonly compressor: Compressor
  siteUrl(): string
}
