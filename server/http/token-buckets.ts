export type RateLimit = {
  /** How many uses fit into the window; that many may also come at once. */
  readonly uses: number
  readonly windowSeconds: number
}

type Bucket = { tokens: number; filledAt: number }

/** Above this many keys the one that was quiet for longest is forgotten: better than growing without end under attack. */
const maxKeys = 50_000

/** Token buckets in memory, one for each key: an address, an account, an e-mail. */
export class TokenBuckets {
  readonly #limit: RateLimit
  readonly #buckets = new Map<string, Bucket>()

  constructor(limit: RateLimit) {
    this.#limit = limit
  }

  /** Uses one, or `count`. @returns 0, or the seconds until that many are allowed; then nothing was used. More than fit never are. */
  take(key: string, count = 1): number {
    const bucket = this.#bucket(key)
    if (bucket.tokens < count) return this.#secondsUntil(bucket, count)
    bucket.tokens -= count
    return 0
  }

  /** A use that turned out not to count. */
  giveBack(key: string): void {
    const bucket = this.#bucket(key)
    bucket.tokens = Math.min(this.#limit.uses, bucket.tokens + 1)
  }

  /** As `take` without using anything, for limits that count failures alone. */
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
    // Set anew, so that the map's order is the order of use.
    this.#buckets.delete(key)
    this.#buckets.set(key, bucket)
    if (this.#buckets.size > maxKeys) this.#forgetQuietest()
    return bucket
  }

  get #refillPerSecond() {
    return this.#limit.uses / this.#limit.windowSeconds
  }

  #secondsUntil({ tokens }: Bucket, count: number): number {
    return Math.max(1, Math.ceil((count - tokens) / this.#refillPerSecond))
  }

  #forgetQuietest() {
    for (const key of this.#buckets.keys()) {
      this.#buckets.delete(key)
      return
    }
  }
}
