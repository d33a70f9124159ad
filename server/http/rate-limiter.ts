import { createHash } from 'node:crypto'
import type { RedisService } from '../redis.ts'
import { type RateLimit, TokenBuckets } from './token-buckets.ts'

/**
 * Limits by key: an IP address, an account, an email address. With Redis, all nodes share one bucket.
 *
 * While Redis is down, each node counts for itself, for every limit alike. Rejecting everyone (fail closed) would let a cache outage
 * keep users from signing in; letting everyone pass (fail open) would give free attempts to anyone who can cause an outage. A node
 * keeps its earlier counts, so an attacker gains at most one allowance per node.
 *
 * Why no library: docs/decisions/0023-parts-that-no-library-makes-smaller.md.
 */
export class RateLimiter {
  readonly #own: TokenBuckets
  readonly #shared: SharedBuckets | undefined

  constructor(name: string, limit: RateLimit, redis: RedisService | undefined) {
    this.#own = new TokenBuckets(limit)
    this.#shared = redis && new SharedBuckets(name, limit, redis)
  }

  /** Takes one use. @returns 0, or the seconds until the next use is allowed; in that case none was taken. */
  async take(key: string, count = 1): Promise<number> {
    const wait = this.#own.wait(key) || (await this.#shared?.ask(key, count)) || 0
    // Counts here only what all nodes allowed; a bucket that was emptied in the meantime rejects.
    return wait > 0 ? wait : this.#own.take(key, count)
  }

  /** Returns a use that didn't count, for limits on failures: they are taken in advance, or many simultaneous attempts would pass. */
  async giveBack(key: string): Promise<void> {
    this.#own.giveBack(key)
    await this.#shared?.ask(key, -1)
  }

  /** Like `take`, without taking a use. */
  async wait(key: string): Promise<number> {
    return this.#own.wait(key) || (await this.#shared?.ask(key, 0)) || 0
  }
}

/** The same arithmetic as `TokenBuckets`, atomic and by Redis's clock: two nodes can't both get the last use. */
const script = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local uses, windowMs, spent = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local known = redis.call('hmget', KEYS[1], 'tokens', 'filled_at')
local tokens = uses
if known[1] then
  tokens = math.min(uses, known[1] + math.max(0, now - known[2]) * uses / windowMs)
end
local needed = math.max(1, spent)
if tokens < needed and spent >= 0 then
  return math.max(1, math.ceil((needed - tokens) * windowMs / uses / 1000))
end
if spent ~= 0 then
  redis.call('hset', KEYS[1], 'tokens', math.min(uses, tokens - spent), 'filled_at', now)
  redis.call('pexpire', KEYS[1], windowMs)
end
return 0`

class SharedBuckets {
  readonly #name: string
  readonly #limit: RateLimit
  readonly #redis: RedisService

  constructor(name: string, limit: RateLimit, redis: RedisService) {
    this.#name = name
    this.#limit = limit
    this.#redis = redis
  }

  /** @returns like `RateLimiter.take`; undefined if Redis doesn't respond, which `redis.ts` reports once. */
  async ask(key: string, spent: number): Promise<number | undefined> {
    const { uses, windowSeconds } = this.#limit
    // Client addresses are never stored in Redis in the clear.
    const hashed = createHash('sha256').update(key).digest('base64url')
    const bucket = this.#redis.name('limit', this.#name, hashed)
    try {
      return Number(await this.#redis.commands.eval(script, 1, bucket, uses, windowSeconds * 1000, spent))
    } catch {
      return undefined
    }
  }
}

/** One limiter for each name, so that all uses of a name count together. */
export class RateLimits {
  readonly #redis: RedisService | undefined
  readonly #limiters = new Map<string, RateLimiter>()

  constructor(redis: RedisService | undefined) {
    this.#redis = redis
  }

  named(name: string, limit: RateLimit): RateLimiter {
    const known = this.#limiters.get(name)
    if (known) return known
    const limiter = new RateLimiter(name, limit, this.#redis)
    this.#limiters.set(name, limiter)
    return limiter
  }
}
