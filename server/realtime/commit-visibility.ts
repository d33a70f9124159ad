import { setTimeout as delay } from 'node:timers/promises'
import type { CallerDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'

/** Any connection will do: what is visible is visible to all. */
type Asked = Pick<CallerDb, 'rows'>

const pauseMs = 2
/** Far longer than a commit takes once it is logged; after it, a change is delivered as far as it can be seen. */
const patienceMs = 2_000

/**
 * The log tells of a commit a moment before other transactions see it: PostgreSQL writes the record first and ends the
 * transaction after. A row that is looked up in that moment is not there yet, and would be taken for one that is none of the
 * receiver's.
 */
export class CommitVisibility {
  readonly #db: Asked
  #lastSeen: number | undefined

  constructor(db: Asked) {
    this.#db = db
  }

  /** Resolves once what the transactions did can be seen. Asks about all of them at once, and once for all changes of one. */
  async wait(xids: Iterable<number>): Promise<void> {
    const until = Date.now() + patienceMs
    let waiting = [...new Set(xids)].filter((xid) => xid !== this.#lastSeen)
    while (waiting.length > 0) {
      const hidden = await this.#hiddenOf(waiting)
      this.#lastSeen = waiting.findLast((xid) => !hidden.includes(xid)) ?? this.#lastSeen
      if (Date.now() > until) return
      waiting = hidden
      if (hidden.length > 0) await delay(pauseMs)
    }
  }

  /** The log's ids have 32 bits and begin anew; a snapshot's have 64. */
  async #hiddenOf(xids: readonly number[]): Promise<number[]> {
    const rows = await this.#db.rows<{ xid: string }>(sql`
      select x.xid from unnest(${xids}::bigint[]) x (xid), pg_current_snapshot() s
      where not (
        (pg_snapshot_xmax(s)::text::bigint % 4294967296 - x.xid + 4294967296) % 4294967296 between 1 and 2147483647
        and not exists (select from pg_snapshot_xip(s) as running where running::text::bigint % 4294967296 = x.xid)
      )`)
    return rows.map(({ xid }) => Number(xid))
  }
}
