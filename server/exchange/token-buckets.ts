export type RateLimit = {
  /** The number of uses per window; that many may also come at once. */
  readonly uses: number
  readonly windowSeconds: number
}

type Bucket = { tokens: number; filledAt: number }

/** Above this many keys, the least recently used one is evicted, so that an attack can't grow the map without limit. */
const maxKeys = 50_000

/** Token buckets in memory, one for each key: an IP address, an account, an email address. */
export class TokenBuckets {
  readonly #limit: RateLimit
  readonly #buckets = new Map<string, Bucket>()

  constructor(limit: RateLimit) {
    this.#limit = limit
  }

  /** Takes one use, or `count`. @returns 0, or the seconds until it is allowed; then none was taken. More than fit never are. */
  take(key: string, count = 1): number {
    const bucket = this.#bucket(key)
    if (bucket.tokens < count) return this.#secondsUntil(bucket, count)
    bucket.tokens -= count
    return 0
  }

  /** Returns a use that didn't count. */
  giveBack(key: string): void {
    const bucket = this.#bucket(key)
    bucket.tokens = Math.min(this.#limit.uses, bucket.tokens + 1)
  }

  /** Like `take`, without taking a use, for limits that count only failures. */
  wait(key: string): number {
    const bucket = this.#bucket(key)
    return bucket.tokens < 1 ? this.#secondsUntil(bucket, 1) : 0
  }

  #bucket(key: string): Bucket {
    const { uses } = this.#limit
    const now = performance.now()
    const known = this.#buckets.get(key)
    const elapsedSeconds = known ? (now - known.filledAt) / 1000 : 0
    const tokens = known ? Math.min(uses, known.tokens + elapsedSeconds * this.#refillPerSecond) : uses
    const bucket = { tokens, filledAt: now }
    // Set again, so that the map's order is the order of use.
    this.#buckets.delete(key)
    this.#buckets.set(key, bucket)
    if (this.#buckets.size > maxKeys) this.#evictLeastRecentlyUsed()
    return bucket
  }

  get #refillPerSecond() {
    return this.#limit.uses / this.#limit.windowSeconds
  }

  #secondsUntil({ tokens }: Bucket, count: number): number {
    return Math.max(1, Math.ceil((count - tokens) / this.#refillPerSecond))
  }

  #evictLeastRecentlyUsed() {
    for (const key of this.#buckets.keys()) {
      this.#buckets.delete(key)
      return
    }
  }
}
