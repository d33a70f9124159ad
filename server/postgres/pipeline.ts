import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import pg, { type Connection, type Submittable } from 'pg'
import { serialize } from 'pg-protocol'
import type { Caller, RequestSettings } from './caller.ts'
import { DatabaseFailure } from './database-failure.ts'
import { MessageWriter } from './message-writer.ts'
import { setCaller } from './set-caller.ts'
import type { Statement } from './sql.ts'
import { type Field, type Prepared, StatementCache, unnamed } from './statement-cache.ts'

// pg's own conversion of JavaScript values to parameters (arrays, dates, buffers, JSON); its types omit the module.
const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils') as {
  prepareValue: (value: unknown) => string | Buffer | null
}

export type PipelineResult = { readonly rows: Record<string, unknown>[]; readonly command: string }

export type PipelineOptions = {
  /** Limit of the answer as PostgreSQL sends it. Above it the connection is closed, and nothing more is kept. */
  readonly maxBytes?: number | undefined
  /** False: both statements are unnamed and prepared for this turn only, for a pooler that loses named ones. */
  readonly reusesStatements?: boolean
}

type ConnectionState = {
  readonly cache: StatementCache
  /** The current result, and the connection's byte limit for it. */
  current: Pipeline | undefined
  mostRead: number
}

const states = new WeakMap<Connection, ConnectionState>()
/** Shared by all: a pipeline is written in one go. */
const messages = new MessageWriter((value) => prepareValue(value))
const execute = serialize.execute()
const sync = serialize.sync()

/**
 * One statement as one caller in one network round trip.
 *
 * The context (role, claims, settings) and the statement are sent together, closed by a single Sync: PostgreSQL runs everything
 * before a Sync as one implicit transaction, so it needs no BEGIN and COMMIT, and an error rolls everything back. It plugs into
 * `pg` through its public submittable interface, as pg-cursor does (brianc/node-postgres `packages/pg-cursor`).
 */
export class Pipeline implements Submittable {
  readonly result: Promise<PipelineResult>
  readonly #caller: Caller
  readonly #statement: Statement
  readonly #settings: RequestSettings
  #settle: { resolve: (result: PipelineResult) => void; reject: (error: Error) => void }
  readonly #maxBytes: number | undefined
  readonly #reusesStatements: boolean
  #prepared: Prepared[] = []
  #current: Prepared | undefined
  #rows: Record<string, unknown>[] = []
  #command = ''
  #error: Error | undefined

  constructor(
    caller: Caller,
    statement: Statement,
    settings: RequestSettings = {},
    { maxBytes, reusesStatements = true }: PipelineOptions = {},
  ) {
    this.#maxBytes = maxBytes
    this.#reusesStatements = reusesStatements
    this.#caller = caller
    this.#statement = statement
    this.#settings = settings
    const { promise, resolve, reject } = Promise.withResolvers<PipelineResult>()
    this.result = promise
    this.#settle = { resolve, reject }
  }

  submit(connection: Connection) {
    const state = states.get(connection) ?? watch(connection)
    const { cache } = state
    state.current = this.#maxBytes === undefined ? undefined : this
    if (this.#maxBytes !== undefined) state.mostRead = bytesRead(connection) + this.#maxBytes
    try {
      for (const name of cache.takeEvicted()) messages.add(serialize.close({ type: 'S', name }))
      const context = setCaller(this.#caller, this.#settings)
      const find = (role: string, text: string) => (this.#reusesStatements ? cache.get(role, text) : unnamed())
      this.#add(find('', context.text), context)
      this.#current = find(this.#caller.role, this.#statement.text)
      this.#add(this.#current, this.#statement)
    } catch (error) {
      // A value that can't be converted: only the Sync that ends the turn is sent.
      this.#error = error instanceof Error ? error : new Error(String(error))
      messages.clear()
    }
    messages.add(sync)
    // One write: each is a system call, and wakes the server.
    connection.stream.write(messages.take())
  }

  #add(prepared: Prepared, { text, values }: Statement) {
    if (prepared.state === 'unknown') messages.add(serialize.close({ type: 'S', name: prepared.name }))
    if (prepared.state !== 'ready') {
      messages.add(serialize.parse({ name: prepared.name, text, types: [] }))
      this.#prepared.push(prepared)
      prepared.state = 'unknown'
    }
    messages.addBind(prepared.name, values)
    const isContext = prepared !== this.#current
    if (!isContext && !prepared.fields) messages.add(serialize.describe({ type: 'P', name: '' }))
    messages.add(execute)
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number; format: string }[] }) {
    if (!this.#current) return
    this.#current.fields = fields.map(
      ({ name, dataTypeID }): Field => ({ name, parse: pg.types.getTypeParser(dataTypeID) }),
    )
  }

  handleDataRow({ fields: values }: { fields: (string | null)[] }) {
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
    this.#command = text
  }

  handleEmptyQuery() {
    // An empty statement has no rows and no command.
  }

  handlePortalSuspended() {
    // Never sent: Execute requests all rows.
  }

  handleError(error: Error & { code?: string }) {
    // A table changed under a prepared statement: the retry prepares it again (Database.rows retries once).
    if (this.#current && isStalePlan(error)) {
      this.#current.state = 'unknown'
      this.#current.fields = undefined
    }
    // An error ends the pipeline at the server; pg calls this once and does not call handleReadyForQuery afterwards.
    this.#settle.reject(error)
  }

  /** The answer exceeds its byte limit. The rest can't be skipped without reading it, so the connection is closed. */
  giveUp(connection: Connection) {
    this.#settle.reject(new DatabaseFailure({ kind: 'result_too_large', maxBytes: this.#maxBytes ?? 0 }))
    connection.stream.destroy()
  }

  handleReadyForQuery() {
    if (this.#error) return this.#settle.reject(this.#error)
    for (const prepared of this.#prepared) prepared.state = 'ready'
    if (this.#current) this.#current.fields ??= [] // a statement without a result needs no second description
    this.#settle.resolve({ rows: this.#rows, command: this.#command })
  }
}

// pg's types know only that it is a stream: it is a socket, plain or TLS.
const bytesRead = ({ stream }: Connection): number => (stream as Socket).bytesRead

/** A row is buffered until it is complete, and one row holds the whole answer, so the received bytes count. */
function watch(connection: Connection): ConnectionState {
  const state: ConnectionState = { cache: new StatementCache(), current: undefined, mostRead: 0 }
  states.set(connection, state)
  connection.stream.on('data', () => {
    if (state.current && bytesRead(connection) > state.mostRead) {
      const { current } = state
      state.current = undefined
      current.giveUp(connection)
    }
  })
  return state
}

/** `cached plan must not change result type`, or a statement that the server no longer knows. */
export function isStalePlan(error: { code?: string; message?: string }): boolean {
  return error.code === '26000' || (error.code === '0A000' && /cached plan/.test(error.message ?? ''))
}
