import type { Caller } from './caller.ts'
import { DatabaseFailure } from './database-failure.ts'
import { WaitEstimate } from './wait-estimate.ts'

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

/** A caller's place, which it leaves exactly once. Not a closure: every request gets one. */
export class Place {
  readonly #shares: Shares
  readonly #client: string | undefined
  readonly #account: string | undefined
  readonly #isVisitor: boolean

  constructor(shares: Shares, client: string | undefined, account: string | undefined, isVisitor: boolean) {
    this.#shares = shares
    this.#client = client
    this.#account = account
    this.#isVisitor = isVisitor
  }

  /** @param spentMs the database's time. */
  leave(spentMs: number): void {
    this.#shares.leave(this.#client, this.#account, this.#isVisitor, spentMs)
  }
}

type Go = (place: Place | undefined) => void

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

  /** Milliseconds that a request would wait for its share, before it takes a place in the pool's queue. */
  waitMs({ role }: Caller, client: string | undefined): number {
    const own = client === undefined ? 0 : (this.#clients.get(client)?.waitMs ?? 0)
    return role === 'anon' ? own + this.#visitors.waitMs : own
  }

  /**
   * @param client key of the address; undefined: it identifies no one client, e.g. on this machine itself.
   * @param go called, perhaps later, with the place to leave; undefined: nothing limits this caller.
   * @throws GatewayError 429 when the client's database time is used up; 503 when too many visitors wait.
   */
  enter({ role, claims }: Caller, client: string | undefined, go: Go): void {
    const isVisitor = role === 'anon'
    if (role === 'service_role' || (client === undefined && !isVisitor)) {
      go(undefined)
      return
    }
    if (isVisitor && this.#visitors.waiting >= this.#limits.maxWaiting)
      throw new DatabaseFailure({ kind: 'overloaded' })
    const account = client && (typeof claims.sub === 'string' ? claims.sub : client)
    const wait = account === undefined ? 0 : this.#time.wait(account)
    if (wait > 0) throw new DatabaseFailure({ kind: 'time_used', retryAfterSeconds: wait })
    const place = new Place(this, client, account, isVisitor)
    const share = client === undefined ? undefined : this.#shareOf(client)
    if (share && !share.take()) share.wait(() => this.#enterAsVisitor(place, isVisitor, go))
    else this.#enterAsVisitor(place, isVisitor, go)
  }

  leave(client: string | undefined, account: string | undefined, isVisitor: boolean, spentMs: number): void {
    if (account !== undefined) this.#time.spend(account, spentMs)
    if (isVisitor) this.#visitors.leave()
    if (client === undefined) return
    const share = this.#clients.get(client)
    share?.leave()
    if (share?.isIdle) this.#clients.delete(client)
  }

  #enterAsVisitor(place: Place, isVisitor: boolean, go: Go) {
    if (isVisitor && !this.#visitors.take()) this.#visitors.wait(() => go(place))
    else go(place)
  }

  #shareOf(client: string): Share {
    const known = this.#clients.get(client)
    if (known) return known
    const share = new Share(this.#limits.perClient)
    this.#clients.set(client, share)
    return share
  }
}

/** A place is held while its request waits in the pool's queue, so an interval may be as long as that wait. */
const mostIntervalMs = 500

/** A limited number at once; later ones wait in turn. */
class Share {
  readonly #most: number
  readonly #wait = new WaitEstimate(mostIntervalMs)
  #held = 0
  readonly #waiting: (() => void)[] = []

  constructor(most: number) {
    this.#most = most
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** What a new request would wait. */
  get waitMs(): number {
    return this.#held < this.#most ? 0 : this.#wait.milliseconds(this.#waiting.length + 1)
  }

  get isIdle(): boolean {
    return this.#held === 0
  }

  /** @returns whether there was a place; it is then taken. */
  take(): boolean {
    if (this.#held >= this.#most) return false
    this.#held += 1
    return true
  }

  /** Starts with the place that somebody leaves. */
  wait(start: () => void): void {
    this.#waiting.push(start)
  }

  leave(): void {
    this.#wait.turn(this.#waiting.length, performance.now())
    const next = this.#waiting.shift()
    if (next) next()
    else this.#held -= 1
  }
}

/** Above this many keys, the least recently used is evicted. */
const maxKeys = 50_000
const windowMs = 60_000

type Bucket = { left: number; filledAt: number; movedAt: number }
/** The order of use need not be exact: moving an entry at each use would cost more than the rest. */
const movedEveryMs = 1_000

/** Token buckets of milliseconds. A statement's time is known only afterwards, so a bucket may fall below zero once. */
export class TimeBudget {
  readonly #perWindow: number
  readonly #buckets = new Map<string, Bucket>()

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
    const bucket = this.#buckets.get(key) ?? { left: this.#perWindow, filledAt: now, movedAt: Number.NEGATIVE_INFINITY }
    this.#refill(bucket, now)
    bucket.left -= ms
    if (now - bucket.movedAt > movedEveryMs) this.#moveToEnd(key, bucket, now)
  }

  #moveToEnd(key: string, bucket: Bucket, now: number) {
    bucket.movedAt = now
    this.#buckets.delete(key)
    this.#buckets.set(key, bucket)
    if (this.#buckets.size <= maxKeys) return
    for (const quietest of this.#buckets.keys()) {
      this.#buckets.delete(quietest)
      return
    }
  }

  #refill(bucket: Bucket, now: number) {
    bucket.left = Math.min(this.#perWindow, bucket.left + ((now - bucket.filledAt) * this.#perWindow) / windowMs)
    bucket.filledAt = now
  }
}
