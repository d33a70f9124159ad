import { setTimeout as delay } from 'node:timers/promises'
import type { CallerDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'

/** Any connection works: visible changes are visible to all. */
type Asked = Pick<CallerDb, 'rows'>

const pauseMs = 2
/** Far longer than a commit takes once it is logged; after it, a change is delivered as far as it is visible. */
const patienceMs = 2_000

/**
 * A commit is in the log a moment before other transactions see it: PostgreSQL writes the record first and ends the
 * transaction after. In that moment a query does not find the row yet, and would treat it as one that the receiver
 * may not see.
 */
export class CommitVisibility {
  readonly #db: Asked
  #lastSeen: number | undefined

  constructor(db: Asked) {
    this.#db = db
  }

  /** Resolves once the changes of the transactions are visible. One query covers all of them. */
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

  /** The log's ids have 32 bits and wrap around; a snapshot's have 64. */
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
