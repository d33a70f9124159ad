import type { Caller } from './caller.ts'
import { DatabaseFailure } from './database-failure.ts'

export type ShareLimits = {
  /** Connections that visitors may hold at once. */
  readonly visitors: number
  /** Connections that one client address may hold at once. */
  readonly perClient: number
  /** Database time of one account, or of a visitor's address. */
  readonly secondsPerMinute: number
  /** How many visitors may wait for their share. */
  readonly maxWaiting: number
}

type Go = (leave: (spentMs: number) => void) => void

/**
 * Limits how much of the pool a caller may hold, so that visitors can't starve users, and one client can't starve everyone else. A request
 * above its share waits for earlier ones of the same client, or of the visitors, and takes no place in the pool's queue in the meantime.
 */
export class Shares {
  readonly #limits: ShareLimits
  readonly #visitors: Share
  readonly #clients = new Map<string, Share>()
  readonly #time: TimeBudget

  constructor(limits: ShareLimits) {
    this.#limits = limits
    this.#visitors = new Share(limits.visitors)
    this.#time = new TimeBudget(limits.secondsPerMinute * 1000)
  }

  /**
   * @param client key of the address; undefined: it identifies no one client, e.g. on this machine itself.
   * @param go called, perhaps later, with a function that releases the share.
   * @throws GatewayError 429 when the client's database time is used up; 503 when too many visitors wait.
   */
  enter({ role, claims }: Caller, client: string | undefined, go: Go): void {
    const isVisitor = role === 'anon'
    if (role === 'service_role' || (client === undefined && !isVisitor)) {
      go(nothing)
      return
    }
    if (isVisitor && this.#visitors.waiting >= this.#limits.maxWaiting)
      throw new DatabaseFailure({ kind: 'overloaded' })
    const account = client && (typeof claims.sub === 'string' ? claims.sub : client)
    const wait = account === undefined ? 0 : this.#time.wait(account)
    if (wait > 0) throw new DatabaseFailure({ kind: 'time_used', retryAfterSeconds: wait })
    const share = client === undefined ? undefined : this.#shareOf(client)
    const start = () =>
      go((spentMs) => {
        if (account !== undefined) this.#time.spend(account, spentMs)
        if (isVisitor) this.#visitors.leave()
        if (client === undefined || !share) return
        share.leave()
        if (share.isIdle) this.#clients.delete(client)
      })
    const next = isVisitor ? () => this.#visitors.enter(start) : start
    if (share) share.enter(next)
    else next()
  }

  #shareOf(client: string): Share {
    const known = this.#clients.get(client)
    if (known) return known
    const share = new Share(this.#limits.perClient)
    this.#clients.set(client, share)
    return share
  }
}

const nothing = () => undefined

/** A limited number at once; later ones wait in turn. */
class Share {
  readonly #most: number
  #held = 0
  readonly #waiting: (() => void)[] = []

  constructor(most: number) {
    this.#most = most
  }

  get waiting(): number {
    return this.#waiting.length
  }

  get isIdle(): boolean {
    return this.#held === 0
  }

  enter(start: () => void): void {
    if (this.#held >= this.#most) {
      this.#waiting.push(start)
      return
    }
    this.#held += 1
    start()
  }

  leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#held -= 1
  }
}

/** Above this many keys, the least recently used is evicted. */
const maxKeys = 50_000
const windowMs = 60_000

/** Token buckets of milliseconds. A statement's time is known only afterwards, so a bucket may fall below zero once. */
export class TimeBudget {
  readonly #perWindow: number
  readonly #buckets = new Map<string, { left: number; filledAt: number }>()

  constructor(msPerMinute: number) {
    this.#perWindow = msPerMinute
  }

  /** @returns 0, or the seconds until there is time left. */
  wait(key: string, now = performance.now()): number {
    const bucket = this.#buckets.get(key)
    if (!bucket) return 0
    this.#refill(bucket, now)
    return bucket.left > 0 ? 0 : Math.max(1, Math.ceil((-bucket.left * windowMs) / this.#perWindow / 1000))
  }

  spend(key: string, ms: number, now = performance.now()): void {
    const bucket = this.#buckets.get(key) ?? { left: this.#perWindow, filledAt: now }
    this.#refill(bucket, now)
    bucket.left -= ms
    // Set again, so that the map stays in order of use.
    this.#buckets.delete(key)
    this.#buckets.set(key, bucket)
    if (this.#buckets.size <= maxKeys) return
    for (const quietest of this.#buckets.keys()) {
      this.#buckets.delete(quietest)
      return
    }
  }

  #refill(bucket: { left: number; filledAt: number }, now: number) {
    bucket.left = Math.min(this.#perWindow, bucket.left + ((now - bucket.filledAt) * this.#perWindow) / windowMs)
    bucket.filledAt = now
  }
}
