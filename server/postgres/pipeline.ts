import { createRequire } from 'node:module'
import pg, { type Connection, type Submittable } from 'pg'
import type { Caller, RequestSettings } from './caller.ts'
import type { Statement } from './sql.ts'
import { type Field, type Prepared, StatementCache } from './statement-cache.ts'

// pg's own conversion of JavaScript values to parameters (arrays, dates, buffers, JSON); its types do not list the module.
const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils') as {
  prepareValue: (value: unknown) => string | Buffer | null
}

/** Settings are local to the transaction, so a pooled connection carries no one's rights over to the next request. */
const contextText = `select set_config('search_path', $1, true), set_config('role', $2, true),
  set_config('request.jwt.claims', $3, true), set_config('request.method', $4, true), set_config('request.path', $5, true),
  set_config('request.headers', $6, true), set_config('request.cookies', $7, true), set_config('statement_timeout', $8, true)`
const readOnlyContextText = `${contextText}, set_config('transaction_read_only', 'on', true)`

export type PipelineOptions = { readonly settings?: RequestSettings; readonly statementTimeoutMs: number }
export type PipelineResult = { readonly rows: Record<string, unknown>[]; readonly command: string }

const caches = new WeakMap<Connection, StatementCache>()

/**
 * One statement as one person in one network round trip.
 *
 * The context (role, claims, settings) and the statement go out together, closed by a single Sync: PostgreSQL runs what lies
 * before a Sync as one implicit transaction, so no BEGIN and COMMIT are needed and an error undoes everything. It plugs into
 * `pg` through its public submittable interface, as pg-cursor does (brianc/node-postgres `packages/pg-cursor`).
 */
export class Pipeline implements Submittable {
  readonly result: Promise<PipelineResult>
  readonly #caller: Caller
  readonly #statement: Statement
  readonly #options: PipelineOptions
  #settle: { resolve: (result: PipelineResult) => void; reject: (error: Error) => void }
  #prepared: Prepared[] = []
  #current: Prepared | undefined
  #completed = 0
  #rows: Record<string, unknown>[] = []
  #command = ''
  #error: Error | undefined

  constructor(caller: Caller, statement: Statement, options: PipelineOptions) {
    this.#caller = caller
    this.#statement = statement
    this.#options = options
    const { promise, resolve, reject } = Promise.withResolvers<PipelineResult>()
    this.result = promise
    this.#settle = { resolve, reject }
  }

  submit(connection: Connection) {
    const cache = caches.get(connection) ?? new StatementCache()
    caches.set(connection, cache)
    const { settings = {}, statementTimeoutMs } = this.#options
    const { role, claims } = this.#caller
    connection.stream.cork()
    try {
      for (const name of cache.takeEvicted()) connection.close({ type: 'S', name }, true)
      const context = settings.readOnly ? readOnlyContextText : contextText
      this.#send(connection, cache.take('', context), context, [
        settings.searchPath ?? '',
        role,
        JSON.stringify(claims),
        settings.method ?? '',
        settings.path ?? '',
        settings.headers ?? '',
        settings.cookies ?? '',
        String(statementTimeoutMs),
      ])
      this.#current = cache.take(role, this.#statement.text)
      this.#send(connection, this.#current, this.#statement.text, this.#statement.values)
    } catch (error) {
      // A value that can't be turned into a parameter. What was sent is harmless without its Execute; Sync ends it.
      this.#error = error instanceof Error ? error : new Error(String(error))
    } finally {
      connection.sync()
      connection.stream.uncork()
    }
  }

  #send(connection: Connection, prepared: Prepared, text: string, values: readonly unknown[]) {
    if (prepared.state === 'unknown') connection.close({ type: 'S', name: prepared.name }, true)
    if (prepared.state !== 'ready') {
      connection.parse({ name: prepared.name, text, types: [] }, true)
      this.#prepared.push(prepared)
      prepared.state = 'unknown'
    }
    connection.bind({ portal: '', statement: prepared.name, values: values.map(prepareValue) }, true)
    const isContext = prepared !== this.#current
    if (!isContext && !prepared.fields) connection.describe({ type: 'P', name: '' }, true)
    connection.execute(null, true)
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number; format: string }[] }) {
    if (!this.#current) return
    this.#current.fields = fields.map(
      ({ name, dataTypeID }): Field => ({ name, parse: pg.types.getTypeParser(dataTypeID) }),
    )
  }

  handleDataRow({ fields: values }: { fields: (string | null)[] }) {
    if (this.#completed === 0) return // the context's own row
    const row: Record<string, unknown> = {}
    const fields = this.#current?.fields ?? []
    for (let index = 0; index < values.length; index++) {
      const value = values[index]
      const field = fields[index]
      if (field) row[field.name] = value === null || value === undefined ? null : field.parse(value)
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }) {
    this.#completed += 1
    this.#command = text
  }

  handleEmptyQuery() {
    this.#completed += 1
  }

  handlePortalSuspended() {
    // Never sent: Execute asks for all rows.
  }

  handleError(error: Error & { code?: string }) {
    // A table changed under a prepared statement: the next try prepares it anew (Database.rows tries once more).
    if (this.#current && isStalePlan(error)) {
      this.#current.state = 'unknown'
      this.#current.fields = undefined
    }
    // An error ends the pipeline at the server; pg calls us once and does not call handleReadyForQuery afterwards.
    this.#settle.reject(error)
  }

  handleReadyForQuery() {
    if (this.#error) return this.#settle.reject(this.#error)
    for (const prepared of this.#prepared) prepared.state = 'ready'
    if (this.#current) this.#current.fields ??= [] // a statement without a result needs no second description
    this.#settle.resolve({ rows: this.#rows, command: this.#command })
  }
}

/** `cached plan must not change result type`, or a statement that the server no longer knows. */
export function isStalePlan(error: { code?: string; message?: string }): boolean {
  return error.code === '26000' || (error.code === '0A000' && /cached plan/.test(error.message ?? ''))
}
