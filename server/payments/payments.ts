import type { Services } from '../services.ts'

/**
 * What every piece of payment code is given. It works with the rights of the service: Stripe's word, not the caller's, decides
 * what is written, and the tables behind it are nobody's to read.
 */
export type Payments = Pick<Services, 'config' | 'database' | 'log' | 'stripe'>
