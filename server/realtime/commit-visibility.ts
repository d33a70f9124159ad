import { setTimeout as delay } from 'node:timers/promises'
import type { ServiceDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'

const pauseMs = 2
/** Far longer than a commit takes once it is logged; after it, a change is delivered as far as it can be seen. */
const patienceMs = 2_000

/**
 * The log tells of a commit a moment before other transactions see it: PostgreSQL writes the record first and ends the
 * transaction after. A row that is looked up in that moment is not there yet, and would be taken for one that is none of the
 * receiver's.
 */
export class CommitVisibility {
  readonly #service: ServiceDb
  #lastSeen: number | undefined

  constructor(service: ServiceDb) {
    this.#service = service
  }

  /** Resolves once what the transaction did can be seen. Asks once for all changes of one transaction. */
  async wait(xid: number): Promise<void> {
    const until = Date.now() + patienceMs
    while (this.#lastSeen !== xid) {
      if ((await this.#isVisible(xid)) || Date.now() > until) this.#lastSeen = xid
      else await delay(pauseMs)
    }
  }

  /** The log's ids have 32 bits and begin anew; a snapshot's have 64. */
  async #isVisible(xid: number): Promise<boolean> {
    const [row] = await this.#service.rows<{ visible: boolean }>(sql`
      select (pg_snapshot_xmax(s)::text::bigint % 4294967296 - ${xid}::bigint + 4294967296) % 4294967296 between 1 and 2147483647
        and not exists (select from pg_snapshot_xip(s) as running where running::text::bigint % 4294967296 = ${xid}::bigint) as visible
      from pg_current_snapshot() as s`)
    return row?.visible === true
  }
}
