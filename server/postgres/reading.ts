import type { Caller } from './caller.ts'
import type { CallerDb } from './caller-db.ts'
import { Client } from './client.ts'
import { Pipeline } from './pipeline.ts'
import { identifier, type Statement } from './sql.ts'

/** How many rows of a cursor are in memory at once; the longest row is a post of some twenty kilobytes. */
const pageRows = 500
/** A reader that is idle for this long is gone, or blocks a connection and vacuum for nothing: PostgreSQL then ends the transaction. */
const mostIdle = '60s'

/**
 * A result that may not fit in memory, read page by page as one caller: one transaction with one snapshot on its own connection,
 * so that no request waits for the reader. `Database.read` begins it; its caller must always `close` it.
 */
export class Reading implements CallerDb {
  readonly #client: Client
  readonly #caller: Caller
  #onEnd: (() => void) | undefined

  private constructor(client: Client, caller: Caller, onEnd: () => void) {
    this.#client = client
    this.#caller = caller
    this.#onEnd = onEnd
    client.on('error', () => undefined) // the next page reports it to the reader
    client.on('end', () => this.#ended())
  }

  /** @param onEnd called once, when the connection is gone: closed, or ended by PostgreSQL. */
  static async begin(url: string, caller: Caller, statementTimeoutMs: number, onEnd: () => void): Promise<Reading> {
    const client = new Client({
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

  /** The rows of a cursor that a statement of this reading has opened, page by page. */
  async *pages<Row>(cursor: string): AsyncGenerator<Row[]> {
    const next: Statement = { text: `fetch ${pageRows} from ${identifier(cursor)}`, values: [] }
    for (let page = await this.rows<Row>(next); page.length > 0; page = await this.rows<Row>(next)) yield page
  }

  /** Ends it. A second call does nothing. */
  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined) // it was already broken
    this.#ended()
  }

  #ended() {
    this.#onEnd?.()
    this.#onEnd = undefined
  }
}
