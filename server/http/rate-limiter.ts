import type { Exchange, SharedLimit } from '../exchange/exchange.ts'
import { type RateLimit, TokenBuckets } from '../exchange/token-buckets.ts'

/**
 * Limits by key: an IP address, an account, an email address. With an exchange, all processes share one bucket.
 *
 * While the exchange is down, each process counts for itself, for every limit alike. Rejecting everyone (fail closed) would let a cache
 * outage keep users from signing in; letting everyone pass (fail open) would give free attempts to anyone who can cause an outage. A
 * process keeps its earlier counts, so an attacker gains at most one allowance per process.
 *
 * Why no library: docs/decisions/0023-parts-that-no-library-makes-smaller.md.
 */
export class RateLimiter {
  readonly #own: TokenBuckets
  readonly #limit: SharedLimit
  readonly #exchange: Exchange | undefined

  constructor(limit: SharedLimit, exchange: Exchange | undefined) {
    this.#own = new TokenBuckets(limit)
    this.#limit = limit
    this.#exchange = exchange
  }

  /** Takes one use. @returns 0, or the seconds until the next use is allowed; in that case none was taken. */
  async take(key: string, count = 1): Promise<number> {
    const wait = this.#own.wait(key) || (await this.#exchange?.spend(this.#limit, key, count)) || 0
    // Counts here only what all processes allowed; a bucket that was emptied in the meantime rejects.
    return wait > 0 ? wait : this.#own.take(key, count)
  }

  /** Returns a use that didn't count, for limits on failures: they are taken in advance, or many simultaneous attempts would pass. */
  async giveBack(key: string): Promise<void> {
    this.#own.giveBack(key)
    await this.#exchange?.spend(this.#limit, key, -1)
  }

  /** Like `take`, without taking a use. */
  async wait(key: string): Promise<number> {
    return this.#own.wait(key) || (await this.#exchange?.spend(this.#limit, key, 0)) || 0
  }
}

/** One limiter for each name, so that all uses of a name count together. */
export class RateLimits {
  readonly #exchange: Exchange | undefined
  readonly #limiters = new Map<string, RateLimiter>()

  constructor(exchange: Exchange | undefined) {
    this.#exchange = exchange
  }

  named(name: string, limit: RateLimit): RateLimiter {
    const known = this.#limiters.get(name)
    if (known) return known
    const limiter = new RateLimiter({ name, ...limit }, this.#exchange)
    this.#limiters.set(name, limiter)
    return limiter
  }
}
