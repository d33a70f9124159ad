import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Database } from '../postgres/database.ts'
import type { Secrets } from '../secrets.ts'

/** What the delivery of notifications needs of the server. */
export type Services = {
  readonly config: Config
  readonly secrets: Secrets
  readonly log: FastifyBaseLogger
  readonly database: Database
  readonly mailer: Mailer
  siteUrl(): string
}
