import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import type { Database } from '../postgres/database.ts'
import type { StripeService } from './stripe.ts'

/**
 * The dependencies of all payment code. It has the service's permissions: Stripe, not the caller, decides
 * what is written, and no user may read its tables.
 */
export type Payments = {
  readonly config: Config
  readonly database: Database
  readonly log: FastifyBaseLogger
  readonly stripe: StripeService
}
