import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'

/** How long reads go to a replica at once, before one tries the primary again. */
const tryAgainAfterMs = 1_000
/** For how long the choice of a replica holds. */
const chosenForMs = 2_000
const answersWithinMs = 1_000

type Choice = { readonly pool: Promise<pg.Pool>; readonly at: number }

/** `DATABASE_REPLICA_URLS`: they answer reads while no server takes writes, which is when a primary is lost and until another one is promoted. */
export class Replicas {
  readonly #pools: readonly pg.Pool[]
  #lostAt = Number.NEGATIVE_INFINITY
  #choice: Choice | undefined

  constructor(pools: readonly pg.Pool[]) {
    this.#pools = pools
  }

  /** Whether the primary couldn't be reached a moment ago. */
  get areNeeded(): boolean {
    return performance.now() - this.#lostAt < tryAgainAfterMs
  }

  noteLoss() {
    this.#lostAt = performance.now()
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
    await Promise.all(this.#pools.map((pool) => pool.end()))
  }

  async #choose(): Promise<pg.Pool> {
    const answers = await Promise.all(this.#pools.map((pool) => positionOf(pool)))
    const [best] = answers.filter((answer) => answer !== undefined).toSorted((one, other) => other.bytes - one.bytes)
    if (!best) throw new Error('no replica answers')
    return best.pool
  }
}

/** How far its data are, in bytes of the log; undefined if it doesn't answer in time. A replica that was promoted is further than the others. */
async function positionOf(pool: pg.Pool): Promise<{ readonly pool: pg.Pool; readonly bytes: number } | undefined> {
  const asked = pool
    .query<{ bytes: string }>(
      `select (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end) - '0/0'::pg_lsn as bytes`,
    )
    .then(
      ({ rows }) => ({ pool, bytes: Number(rows[0]?.bytes ?? 0) }),
      () => undefined, // another one may answer
    )
  return Promise.race([asked, delay(answersWithinMs, undefined, { ref: false })])
}
