import type { FastifyBaseLogger } from 'fastify'
import type { BackgroundWork } from '../background-work.ts'
import type { Config } from '../config.ts'
import type { CallerResolver } from '../http/caller.ts'
import type { TrustsProxy } from '../http/client-address.ts'
import type { RateLimits } from '../http/rate-limiter.ts'
import type { Tokens } from '../http/tokens.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Database } from '../postgres/database.ts'
import type { Secrets } from '../secrets.ts'

/** What auth/v1 needs of the server. */
export type Services = {
  readonly config: Config
  readonly secrets: Secrets
  readonly log: FastifyBaseLogger
  readonly database: Database
  readonly backgroundWork: BackgroundWork
  readonly tokens: Tokens
  readonly callers: CallerResolver
  readonly trustsProxy: TrustsProxy
  readonly mailer: Mailer
  readonly rateLimits: RateLimits
  siteUrl(): string
}
