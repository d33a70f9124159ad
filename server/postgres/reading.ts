import pg from 'pg'
import type { Caller } from './caller.ts'
import type { CallerDb } from './caller-db.ts'
import { Pipeline } from './pipeline.ts'
import { identifier, type Statement } from './sql.ts'

/** How many rows of a cursor are in memory at once; the longest row is a post, some twenty kilobytes. */
const pageRows = 500
/** Whoever has taken nothing for so long is gone, or holds a connection and what vacuum may remove for nothing: PostgreSQL ends the reading. */
const mostIdle = '60s'

/**
 * What may be more than memory holds, read page by page as one person: one transaction that sees one moment, on a connection of its own,
 * so that no request waits for the one who reads. `Database.read` begins it; whoever has begun it ends it with `close`, however it goes.
 */
export class Reading implements CallerDb {
  readonly #client: pg.Client
  readonly #caller: Caller
  #onEnd: (() => void) | undefined

  private constructor(client: pg.Client, caller: Caller, onEnd: () => void) {
    this.#client = client
    this.#caller = caller
    this.#onEnd = onEnd
    client.on('error', () => undefined) // whoever reads is told by the next page
    client.on('end', () => this.#ended())
  }

  /** @param onEnd called once, when the connection is gone: closed, or ended by PostgreSQL. */
  static async begin(url: string, caller: Caller, statementTimeoutMs: number, onEnd: () => void): Promise<Reading> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'ovation reading',
      statement_timeout: statementTimeoutMs,
    })
    const reading = new Reading(client, caller, onEnd)
    try {
      await client.connect()
      await client.query('begin isolation level repeatable read read only')
      await client.query(`set local idle_in_transaction_session_timeout = '${mostIdle}'`)
      return reading
    } catch (error) {
      await reading.close()
      throw error
    }
  }

  async rows<Row>(statement: Statement): Promise<Row[]> {
    return (await this.#client.query(new Pipeline(this.#caller, statement)).result).rows as Row[]
  }

  /** The rows of a cursor that a statement of this reading has opened, some at a time. */
  async *pages<Row>(cursor: string): AsyncGenerator<Row[]> {
    const next: Statement = { text: `fetch ${pageRows} from ${identifier(cursor)}`, values: [] }
    for (let page = await this.rows<Row>(next); page.length > 0; page = await this.rows<Row>(next)) yield page
  }

  /** Ends it. A second time does nothing. */
  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined) // it was broken already
    this.#ended()
  }

  #ended() {
    this.#onEnd?.()
    this.#onEnd = undefined
  }
}
