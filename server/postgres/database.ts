import pg from 'pg'
import { type Caller, type RequestSettings, serviceRole } from './caller.ts'
import type { CallerDb, ServiceDb } from './caller-db.ts'
import { DatabaseFailure } from './database-failure.ts'
import { isStalePlan, Pipeline, type PipelineResult } from './pipeline.ts'
import { Reading } from './reading.ts'
import { type ShareLimits, Shares } from './shares.ts'
import type { Statement } from './sql.ts'
import { WaitEstimate } from './wait-estimate.ts'

/** So many may always wait: what one slow statement holds up moves on when it is done. */
const shortQueue = 50

export type DatabaseOptions = {
  /** Connection string of the login role that serves requests: no superuser, a member of the API roles. */
  readonly requestUrl: string
  /** Connection string of the owner: migrations, jobs, the replication slot, LISTEN. */
  readonly ownerUrl: string
  /** About twice the cores: few connections beat many (DESIGN §5). */
  readonly connections: number
  /** How many requests may wait for a connection before the gateway answers 503. */
  readonly maxWaiting: number
  /** Undefined: everybody may take all connections. */
  readonly shares?: Omit<ShareLimits, 'maxWaiting'>
  /** Of every connection, as `set search_path` takes it; a request may set another. */
  readonly searchPath: string
  readonly statementTimeoutMs: number
  /** Settings that hold for a connection's whole life, e.g. the key of what is encrypted at rest. Never logged. */
  readonly connectionSettings?: Readonly<Record<string, string>>
}

/** For whom a statement runs, and how much it may answer. */
export type RunBounds = {
  /** Key of the client's address; undefined: nobody's in particular. */
  readonly client: string | undefined
  readonly maxBytes: number | undefined
}

/** How many read what is too much for memory at once. Each has a connection beside the pool's. */
const mostReadings = 4

/** The pool of request connections. APIs get a `CallerDb` from `as`; nothing else reaches the database on someone's behalf. */
export class Database {
  readonly service: ServiceDb
  readonly ownerUrl: string
  readonly requestUrl: string
  readonly #pool: pg.Pool
  readonly #options: DatabaseOptions
  readonly #wait = new WaitEstimate()
  readonly #shares: Shares | undefined
  #readings = 0
  #fullAt = Number.NEGATIVE_INFINITY

  constructor(options: DatabaseOptions) {
    this.#options = options
    this.ownerUrl = options.ownerUrl
    this.requestUrl = options.requestUrl
    this.#shares = options.shares && new Shares({ ...options.shares, maxWaiting: options.maxWaiting })
    this.#pool = new pg.Pool({
      connectionString: options.requestUrl,
      max: options.connections,
      idleTimeoutMillis: 0,
      keepAlive: true,
      application_name: 'ovation',
      onConnect: async (client) => {
        const settings = {
          search_path: options.searchPath,
          statement_timeout: String(options.statementTimeoutMs),
          ...options.connectionSettings,
        }
        for (const [name, value] of Object.entries(settings)) {
          await client.query('select set_config($1, $2, false)', [name, value])
        }
      },
    })
    // An idle connection that breaks is replaced at the next request, which reports the failure to whoever asked.
    this.#pool.on('error', () => undefined)
    // One that breaks while a request holds it, and between two of its statements, has told nobody: without a listener that ends the process.
    this.#pool.on('connect', (client) => client.on('error', () => undefined))
    this.service = { ...this.as(serviceRole), isService: true }
  }

  as(caller: Caller, settings: RequestSettings = {}): CallerDb {
    return {
      rows: async <Row>(statement: Statement) => (await this.run(caller, statement, settings)).rows as Row[],
    }
  }

  /** As `rows`, with the command tag, e.g. `INSERT 0 3`. */
  run(
    caller: Caller,
    statement: Statement,
    settings: RequestSettings = {},
    bounds?: RunBounds,
  ): Promise<PipelineResult> {
    const outcome = Promise.withResolvers<PipelineResult>()
    const start = (leave?: (spentMs: number) => void) =>
      this.#start(outcome, caller, statement, settings, bounds, leave)
    try {
      if (this.#shares) this.#shares.enter(caller, bounds?.client, start)
      else start()
    } catch (error) {
      outcome.reject(error)
    }
    return outcome.promise
  }

  #start(
    { resolve, reject }: Pick<PromiseWithResolvers<PipelineResult>, 'resolve' | 'reject'>,
    caller: Caller,
    statement: Statement,
    settings: RequestSettings,
    bounds: RunBounds | undefined,
    leave: ((spentMs: number) => void) | undefined,
  ) {
    if (this.#isFull()) {
      leave?.(0)
      return reject(new DatabaseFailure({ kind: 'overloaded' }))
    }
    // By callback, where a promise would do: the pool makes three of them, and this is the way of every request.
    this.#pool.connect((failure, client, release) => {
      if (!client) {
        leave?.(0)
        return reject(new DatabaseFailure({ kind: 'unreachable' }, { cause: failure }))
      }
      const startedAt = leave ? performance.now() : 0
      const done = (broken?: Error) => {
        const now = performance.now()
        this.#wait.turn(this.#pool.waitingCount, now)
        release(broken)
        leave?.(now - startedAt)
      }
      const attempt = (mayRepeat: boolean) => {
        this.#submit(client, caller, statement, settings, bounds?.maxBytes).then(
          (result) => {
            done()
            resolve(result)
          },
          (error: Error & { code?: string }) => {
            if (error.code === diskFull) this.#fullAt = performance.now()
            if (mayRepeat && (isStalePlan(error) || isDeadlock(error))) return attempt(false)
            done(isConnectionLost(error) || error instanceof DatabaseFailure ? error : undefined)
            reject(error)
          },
        )
      }
      attempt(true)
    })
  }

  /** The few operations that need several statements and a decision between them. Prefer one statement, or a function in SQL. */
  async transaction<Result>(
    caller: Caller,
    work: (db: CallerDb) => Promise<Result>,
    settings: RequestSettings = {},
    bounds?: RunBounds,
  ): Promise<Result> {
    const leave = bounds && (await this.#enter(caller, bounds))
    let client: pg.PoolClient
    try {
      client = await this.#connect()
    } catch (error) {
      leave?.(0)
      throw error
    }
    const startedAt = performance.now()
    let broken: Error | undefined
    try {
      await client.query('begin')
      const result = await work({
        rows: async <Row>(statement: Statement) => {
          try {
            return (await this.#submit(client, caller, statement, settings, bounds?.maxBytes)).rows as Row[]
          } catch (error) {
            // An answer that is too large is still on its way: nothing else can be said on this connection.
            if (error instanceof DatabaseFailure) broken = error
            throw error
          }
        },
      })
      await client.query('commit')
      return result
    } catch (error) {
      // A connection that can't even roll back is thrown away; the first error is the one to report.
      if (!broken) {
        await client.query('rollback').catch((failure: Error) => {
          broken = failure
        })
      }
      throw error
    } finally {
      this.#release(client, broken)
      leave?.(performance.now() - startedAt)
    }
  }

  /** Waits for the caller's share of the pool. @returns what gives it back. @throws DatabaseFailure `overloaded`, `time_used`. */
  #enter(caller: Caller, { client }: RunBounds): Promise<((spentMs: number) => void) | undefined> {
    return new Promise((resolve) => {
      if (this.#shares) this.#shares.enter(caller, client, resolve)
      else resolve(undefined)
    })
  }

  /**
   * Begins to read as the caller what may be more than memory holds. Whoever has begun must close it.
   * @throws DatabaseFailure `overloaded` when too many read already; `unreachable`.
   */
  async read(caller: Caller): Promise<Reading> {
    if (this.#readings >= mostReadings) throw new DatabaseFailure({ kind: 'overloaded' })
    this.#readings += 1
    try {
      return await Reading.begin(this.requestUrl, caller, this.#options.statementTimeoutMs, () => {
        this.#readings -= 1
      })
    } catch (cause) {
      throw new DatabaseFailure({ kind: 'unreachable' }, { cause })
    }
  }

  /** How many connections there are, how many of them are free, and how many requests wait for one. */
  connections(): { readonly open: number; readonly idle: number; readonly waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { open: totalCount, idle: idleCount, waiting: waitingCount }
  }

  /** Whether a statement found no room on the server's disk within the last `ms`. */
  wasFullWithin(ms: number): boolean {
    return performance.now() - this.#fullAt < ms
  }

  async close() {
    await this.#pool.end()
  }

  /** @throws DatabaseFailure `overloaded` when too many wait, or for too long; `unreachable`. */
  async #connect() {
    if (this.#isFull()) throw new DatabaseFailure({ kind: 'overloaded' })
    try {
      return await this.#pool.connect()
    } catch (cause) {
      throw new DatabaseFailure({ kind: 'unreachable' }, { cause })
    }
  }

  /** Whether too many wait for a connection, or for too long. */
  #isFull(): boolean {
    const { waitingCount } = this.#pool
    if (waitingCount >= this.#options.maxWaiting) return true
    return waitingCount > shortQueue && this.#wait.isTooLong(waitingCount)
  }

  #release(client: pg.PoolClient, broken: Error | undefined) {
    this.#wait.turn(this.#pool.waitingCount, performance.now())
    client.release(broken)
  }

  #submit(client: pg.PoolClient, caller: Caller, statement: Statement, settings: RequestSettings, maxBytes?: number) {
    return client.query(new Pipeline(caller, statement, settings, maxBytes)).result
  }
}

const diskFull = '53100'

/**
 * Two statements that lock the same rows in opposite orders, as two people may who each undo many things at once: PostgreSQL ends
 * one. It has done nothing then, and a second time the other one is out of its way.
 */
function isDeadlock({ code }: { code?: string }): boolean {
  return code === '40P01'
}

/** The server has ended the connection, or is about to: nobody else shall get it (57P01 to 57P03, class 08). */
const isConnectionLost = ({ code = '' }: { code?: string }): boolean => /^(57P0[1-3]|08...)$/.test(code)
