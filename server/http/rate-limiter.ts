export type RateLimit = {
  /** How many uses fit into the window; that many may also come at once. */
  readonly uses: number
  readonly windowSeconds: number
}

type Bucket = { tokens: number; filledAt: number }

/** Above this many keys those whose bucket is full again are forgotten: they are as good as never seen. */
const maxKeys = 50_000

/** Token buckets in memory, one for each key: an address, an account, an e-mail. */
export class RateLimiter {
  readonly #limit: RateLimit
  readonly #buckets = new Map<string, Bucket>()

  constructor(limit: RateLimit) {
    this.#limit = limit
  }

  /** Uses one. @returns 0, or the seconds until the next use is allowed; then nothing was used. */
  take(key: string): number {
    const bucket = this.#bucket(key)
    if (bucket.tokens < 1) return this.#secondsUntilOne(bucket)
    bucket.tokens -= 1
    return 0
  }

  /** As `take` without using anything, for limits that count failures alone. */
  wait(key: string): number {
    const bucket = this.#bucket(key)
    return bucket.tokens < 1 ? this.#secondsUntilOne(bucket) : 0
  }

  #bucket(key: string): Bucket {
    const { uses } = this.#limit
    const now = performance.now()
    const bucket = this.#buckets.get(key)
    if (!bucket) {
      if (this.#buckets.size >= maxKeys) this.#forgetFull()
      const fresh = { tokens: uses, filledAt: now }
      this.#buckets.set(key, fresh)
      return fresh
    }
    bucket.tokens = Math.min(uses, bucket.tokens + ((now - bucket.filledAt) / 1000) * this.#refillPerSecond)
    bucket.filledAt = now
    return bucket
  }

  get #refillPerSecond() {
    return this.#limit.uses / this.#limit.windowSeconds
  }

  #secondsUntilOne({ tokens }: Bucket): number {
    return Math.max(1, Math.ceil((1 - tokens) / this.#refillPerSecond))
  }

  #forgetFull() {
    const now = performance.now()
    const fullAfterMs = this.#limit.windowSeconds * 1000
    for (const [key, { filledAt }] of this.#buckets) {
      if (now - filledAt >= fullAfterMs) this.#buckets.delete(key)
    }
    // An attack from many addresses at once: forgetting the oldest is better than growing without end.
    for (const key of this.#buckets.keys()) {
      if (this.#buckets.size < maxKeys) break
      this.#buckets.delete(key)
    }
  }
}
