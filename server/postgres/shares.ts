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
 * Who may hold how much of the pool, so that visitors can't starve members, nor one client everybody else. A request that is beyond its
 * share waits for the client's, or the visitors', own earlier ones, and takes no place in the pool's queue meanwhile.
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
   * @param client key of the address; undefined: the request is nobody's in particular, e.g. of this machine itself.
   * @param go called, perhaps later, with what gives the share back.
   * @throws DatabaseFailure `time_used` when the client's database time is used up; `overloaded` when too many visitors wait.
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

/** So many at once; who comes later waits in turn. */
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

/** Above this many keys the one that was quiet for longest is forgotten. */
const maxKeys = 50_000
const windowMs = 60_000

/** Token buckets of milliseconds. What a statement took is known afterwards, so a bucket may fall below nothing once. */
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
    // Set again, so that the map's order is the order of use.
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
