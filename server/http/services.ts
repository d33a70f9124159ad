import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Database } from '../postgres/database.ts'
import type { Secrets } from '../secrets.ts'
import type { TrustsProxy } from './client-address.ts'
import type { Compressor } from './compress.ts'

/** Which tables change, as far as this node reads the database's log. */
export type TableChanges = {
  follow(follower: (table: string) => void): void
}

/** What the web app's pages and files need of the server. */
export type Services = {
  readonly config: Config
  readonly secrets: Secrets
  readonly log: FastifyBaseLogger
  readonly database: Database
  readonly hasProductSchema: boolean
  readonly compressor: Compressor
  readonly trustsProxy: TrustsProxy
  readonly realtime: TableChanges
  /** Where the payment sandbox listens; undefined with a real Stripe. */
  readonly sandboxUrl: string | undefined
  readonly stripe: { readonly mode: string }
  siteUrl(): string
}
