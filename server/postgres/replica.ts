import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'

/** A moment, and how far the primary's log was then. */
export type Moment = { readonly at: number; readonly bytes: number }

/** A server at a moment: which one it is, as it knows its own address, and how far its data are, in bytes of the log. */
type Position = { readonly server: string; readonly bytes: number }

const position = `
  select coalesce(host(inet_server_addr()) || ':' || inet_server_port(), '') as server,
    (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end) - '0/0'::pg_lsn as bytes`

/** A primary's bytes include what isn't committed yet. @throws if it doesn't answer. */
export async function readPosition(server: Pick<pg.Pool | pg.PoolClient, 'query'>): Promise<Position> {
  const { rows } = await server.query<{ server: string; bytes: string | null }>(position)
  return { server: rows[0]?.server ?? '', bytes: Number(rows[0]?.bytes ?? 0) }
}

const pauseMs = 5

/** A server of `DATABASE_REPLICA_URLS`. */
export class Replica {
  readonly pool: pg.Pool
  readonly #watch: pg.Pool
  readonly #serverOf = new Map<pg.PoolClient, string>()
  #server: string | undefined
  #bytes = 0
  #readAt = 0
  /** It has everything that was committed before this. */
  #freshAt = Number.NEGATIVE_INFINITY
  /** Where it was when it was ahead of the primary. */
  #strayedAt: number | undefined
  #isLooking = false

  /**
   * @param pool for requests.
   * @param watch has one connection, so that no request holds it up.
   */
  constructor(pool: pg.Pool, watch: pg.Pool) {
    this.pool = pool
    this.#watch = watch
    pool.on('remove', (client) => this.#serverOf.delete(client))
  }

  /** A connection to the server whose position is known. @throws an Error if the address has led to another one. */
  async connect(): Promise<pg.PoolClient> {
    const client = await this.pool.connect()
    try {
      const server = this.#serverOf.get(client) ?? (await readPosition(client)).server
      this.#serverOf.set(client, server)
      if (server !== this.#server) throw new Error('the address of a replica leads to several servers')
      return client
    } catch (error) {
      client.release(error as Error)
      throw error
    }
  }

  /** For how long commits may be missing, in milliseconds. */
  behindMs(now: number): number {
    return now - this.#freshAt
  }

  /** Finds out how far it is. @param moments from the oldest to the newest. */
  async look(moments: readonly Moment[]) {
    const latest = moments.at(-1)
    if (this.#isLooking || !latest) return
    this.#isLooking = true
    try {
      // Ahead of where the primary was later: it has what a lost primary took with it, and follows another log until it has been rewound.
      if (this.#readAt < latest.at && this.#bytes > latest.bytes) this.#strayedAt = this.#bytes
      const { server, bytes: reached } = await readPosition(this.#watch)
      this.#server = server
      this.#bytes = reached
      this.#readAt = performance.now()
      if (this.#strayedAt === this.#bytes) return
      this.#strayedAt = undefined
      this.#freshAt = moments.findLast(({ bytes }) => bytes <= this.#bytes)?.at ?? this.#freshAt
    } catch {
      this.#bytes = 0
      // A machine that is frozen, or without power, doesn't end its connections, and their reads would wait for it.
      for (const client of this.#serverOf.keys()) (client.connection.stream as Duplex).destroy()
    } finally {
      this.#isLooking = false
    }
  }

  /** Waits until it is that far, or the time `until`, or until it doesn't answer. */
  async reach(bytes: number, until: number): Promise<void> {
    let reached = this.#bytes
    while (reached < bytes && performance.now() < until) {
      const position = await readPosition(this.#watch).catch(() => undefined)
      if (!position) return
      reached = position.bytes
      if (reached < bytes) await delay(pauseMs)
    }
  }

  async end() {
    await Promise.all([this.pool.end(), this.#watch.end()])
  }
}
