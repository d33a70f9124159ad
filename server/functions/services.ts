import type { CallerResolver } from '../http/caller.ts'
import type { TrustsProxy } from '../http/client-address.ts'
import type { Compressor } from '../http/compress.ts'
import type { RateLimits } from '../http/rate-limiter.ts'
import type { Services as MeasuredServices } from '../operations/services.ts'
import type { Secrets } from '../secrets.ts'

/** What functions/v1 needs of the server: all that an admin's health check measures, and what the functions themselves work with. */
export type Services = MeasuredServices & {
  readonly secrets: Secrets
  readonly callers: CallerResolver
  readonly rateLimits: RateLimits
  readonly compressor: Compressor
  readonly trustsProxy: TrustsProxy
  siteUrl(): string
}
