import { createHash } from 'node:crypto'
import type { RedisService } from '../redis.ts'
import { type RateLimit, TokenBuckets } from './token-buckets.ts'

/**
 * Limits by key: an address, an account, an e-mail. With Redis all nodes draw from one bucket.
 *
 * While Redis is away each node counts for itself, for every limit alike. Refusing everybody (fail closed) would let an outage of
 * a cache keep people from signing in; letting everybody pass (fail open) would give free tries to whoever can cause one. What a
 * node has counted until then stays counted, so the most that is gained is one allowance for each node.
 */
export class RateLimiter {
  readonly #own: TokenBuckets
  readonly #shared: SharedBuckets | undefined

  constructor(name: string, limit: RateLimit, redis: RedisService | undefined) {
    this.#own = new TokenBuckets(limit)
    this.#shared = redis && new SharedBuckets(name, limit, redis)
  }

  /** Uses one. @returns 0, or the seconds until the next use is allowed; then nothing was used. */
  async take(key: string, count = 1): Promise<number> {
    const wait = this.#own.wait(key) || (await this.#shared?.ask(key, count)) || 0
    // Only what all nodes allowed counts here too; a bucket that was emptied meanwhile refuses.
    return wait > 0 ? wait : this.#own.take(key, count)
  }

  /** A use that turned out not to count, for limits on failures: they are counted before it is known, or many at once would pass. */
  async giveBack(key: string): Promise<void> {
    this.#own.giveBack(key)
    await this.#shared?.ask(key, -1)
  }

  /** As `take` without using anything. */
  async wait(key: string): Promise<number> {
    return this.#own.wait(key) || (await this.#shared?.ask(key, 0)) || 0
  }
}

/** The same arithmetic as `TokenBuckets`, by the clock of Redis and in one step: nodes that ask at once do not both get the last one. */
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

  /** @returns as `RateLimiter.take`; undefined when Redis does not answer, which `redis.ts` tells once. */
  async ask(key: string, spent: number): Promise<number | undefined> {
    const { uses, windowSeconds } = this.#limit
    // Addresses of people do not lie about in Redis.
    const hashed = createHash('sha256').update(key).digest('base64url')
    const bucket = this.#redis.name('limit', this.#name, hashed)
    try {
      return Number(await this.#redis.commands.eval(script, 1, bucket, uses, windowSeconds * 1000, spent))
    } catch {
      return undefined
    }
  }
}

/** One limiter for each name, so that all who count under a name count together. */
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
