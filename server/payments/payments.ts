import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Database } from '../postgres/database.ts'
import type { StripeService } from './stripe.ts'

/**
 * What every piece of payment code is given. It works with the rights of the service: Stripe's word, not the caller's, decides
 * what is written, and the tables behind it are nobody's to read.
 */
export type Payments = {
  readonly config: Config
  readonly database: Database
  readonly log: FastifyBaseLogger
  readonly stripe: StripeService
}
