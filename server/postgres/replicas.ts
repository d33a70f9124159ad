import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { type Moment, Replica, readPosition } from './replica.ts'

/** A replica that may lack more is not read from. */
const mostBehindMs = 500
const lookEveryMs = 100
const momentsKept = 20
/** Above this many waiting requests, the primary answers. */
const mostWaiting = 20
/** How long reads go to a replica at once, before one tries the primary again. */
const tryAgainAfterMs = 1_000
/** A primary that is silent for so long counts as lost, although its connections stay open: its machine is frozen, or without power. */
const silentMs = 2_000
/** For how long the choice of a replica holds. Short: the next primary may already have more. */
const chosenForMs = 250
const answersWithinMs = 1_000

type Choice = { readonly pool: Promise<pg.Pool>; readonly at: number }
type Pools = { readonly requests: pg.Pool; readonly watch: pg.Pool }

/**
 * `DATABASE_REPLICA_URLS`. They answer the reads of those who have seen nothing newer (`pick`), and all reads while no server takes writes
 * (`connect`), which is when a primary is lost and until another one is promoted.
 */
export class Replicas {
  readonly #all: readonly Replica[]
  readonly #primary: pg.Pool
  readonly #timer: NodeJS.Timeout
  #moments: Moment[] = []
  #isLooking = false
  #heardAt = performance.now()
  #lostAt = Number.NEGATIVE_INFINITY
  /** Reads that wait for the primary. */
  readonly #waiting = new Set<() => void>()
  #choice: Choice | undefined

  /** @param primary has one connection, so that no request holds it up. */
  constructor(primary: pg.Pool, pools: readonly Pools[]) {
    this.#primary = primary
    this.#all = pools.map(({ requests, watch }) => new Replica(requests, watch))
    this.#timer = setInterval(() => void this.#look(), lookEveryMs).unref()
  }

  /** Whether the primary couldn't be reached a moment ago. */
  get areNeeded(): boolean {
    return performance.now() - this.#lostAt < tryAgainAfterMs
  }

  noteLoss() {
    this.#lostAt = performance.now()
  }

  /** Calls `onSilence` once if the primary falls silent before the returned function is called. */
  untilAnswered(onSilence: () => void): () => void {
    this.#waiting.add(onSilence)
    return () => this.#waiting.delete(onSilence)
  }

  /** For how long each may lack commits, in milliseconds. */
  get behindMs(): readonly number[] {
    const now = performance.now()
    return this.#all.map((replica) => replica.behindMs(now))
  }

  /**
   * The one that answers this reader, always the same, so that nobody sees time run backward; undefined while it is too far behind, or busy.
   * @param reader an account, or the key of a visitor's address.
   */
  pick(reader: string): Replica | undefined {
    const replica = this.#all[hash(reader) % this.#all.length]
    if (!replica || replica.behindMs(performance.now()) > mostBehindMs) return undefined
    return replica.pool.waitingCount < mostWaiting ? replica : undefined
  }

  /** Resolves once those that are read from have all that is committed now. None is awaited for longer than it may be behind. */
  async catchUp(): Promise<void> {
    const now = performance.now()
    // One that is further behind is read from by nobody; other processes may have looked a little earlier.
    const inUse = this.#all.filter((replica) => replica.behindMs(now) < 2 * mostBehindMs)
    if (inUse.length === 0) return
    const primary = await readPosition(this.#primary).catch(() => undefined)
    if (!primary) return // nothing more is committed
    await Promise.all(inUse.map((replica) => replica.reach(primary.bytes, now + mostBehindMs)))
  }

  /** A connection to the one that has the latest data. @throws an Error if none answers. */
  async connect(): Promise<pg.PoolClient> {
    const now = performance.now()
    const before = this.#choice
    const choice = before && now - before.at <= chosenForMs ? before : { pool: this.#choose(), at: now }
    this.#choice = choice
    try {
      return await (await choice.pool).connect()
    } catch (error) {
      if (this.#choice === choice) this.#choice = undefined
      throw error
    }
  }

  async end() {
    clearInterval(this.#timer)
    await Promise.all([this.#primary.end(), ...this.#all.map((replica) => replica.end())])
  }

  async #look() {
    if (this.#isLooking) return
    this.#isLooking = true
    // Before the question: what is committed later may be missing.
    const at = performance.now()
    try {
      const { bytes } = await readPosition(this.#primary)
      this.#heardAt = performance.now()
      this.#moments = [...this.#moments.slice(1 - momentsKept), { at, bytes }]
    } catch {
      // Without a primary there are no new moments, and all replicas become too old.
      if (performance.now() - this.#heardAt > silentMs) this.#noteSilence()
    }
    // Not awaited: one that hangs doesn't hold up the others.
    for (const replica of this.#all) void replica.look(this.#moments)
    this.#isLooking = false
  }

  #noteSilence() {
    this.noteLoss()
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const onSilence of waiting) onSilence()
  }

  async #choose(): Promise<pg.Pool> {
    const answers = await Promise.all(
      this.#all.map(async ({ pool }) => {
        const asked = readPosition(pool).catch(() => undefined) // another one may answer
        const position = await Promise.race([asked, delay(answersWithinMs, undefined, { ref: false })])
        return position ? [{ pool, bytes: position.bytes }] : []
      }),
    )
    const [best] = answers.flat().toSorted((one, other) => other.bytes - one.bytes)
    if (!best) throw new Error('no replica answers')
    return best.pool
  }
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return value >>> 0
}
