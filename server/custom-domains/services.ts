import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Database } from '../postgres/database.ts'

/** What checking a domain needs of the server. */
export type Services = {
  readonly config: Config
  readonly log: FastifyBaseLogger
  readonly database: Database
}
