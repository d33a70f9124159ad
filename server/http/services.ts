import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Database } from '../postgres/database.ts'
import type { Secrets } from '../secrets.ts'
import type { TrustsProxy } from './client-address.ts'
import type { Compressor } from './compress.ts'

/** What the web app's pages and files need of the server. */
export type Services = {
  readonly config: Config
  readonly secrets: Secrets
  readonly log: FastifyBaseLogger
  readonly database: Database
  readonly hasProductSchema: boolean
  readonly compressor: Compressor
  readonly trustsProxy: TrustsProxy
  /** Where the payment sandbox listens; undefined with a real Stripe. */
  readonly sandboxUrl: string | undefined
  readonly stripe: { readonly mode: string }
  siteUrl(): string
}
