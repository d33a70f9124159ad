import pg from 'pg'
import { errors } from '../http/errors.ts'
import { type Caller, type RequestSettings, serviceRole } from './caller.ts'
import type { CallerDb, ServiceDb } from './caller-db.ts'
import { isStalePlan, Pipeline, type PipelineResult } from './pipeline.ts'
import { Reading } from './reading.ts'
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
  /** Of every connection, as `set search_path` takes it; a request may set another. */
  readonly searchPath: string
  readonly statementTimeoutMs: number
  /** Settings that hold for a connection's whole life, e.g. the key of what is encrypted at rest. Never logged. */
  readonly connectionSettings?: Readonly<Record<string, string>>
}

/** How many read what is too much for memory at once. Each has a connection beside the pool's. */
const mostReadings = 4

/** The pool of request connections. Doors get a `CallerDb` from `as`; nothing else reaches the database on someone's behalf. */
export class Database {
  readonly service: ServiceDb
  readonly ownerUrl: string
  readonly requestUrl: string
  readonly #pool: pg.Pool
  readonly #options: DatabaseOptions
  readonly #wait = new WaitEstimate()
  #readings = 0

  constructor(options: DatabaseOptions) {
    this.#options = options
    this.ownerUrl = options.ownerUrl
    this.requestUrl = options.requestUrl
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
  run(caller: Caller, statement: Statement, settings: RequestSettings = {}): Promise<PipelineResult> {
    const { promise, resolve, reject } = Promise.withResolvers<PipelineResult>()
    if (this.#isFull()) {
      reject(errors.overloaded())
      return promise
    }
    // By callback, where a promise would do: the pool makes three of them, and this is the way of every request.
    this.#pool.connect((failure, client, release) => {
      if (!client) return reject(errors.databaseUnavailable(failure))
      const done = (broken?: Error) => {
        this.#wait.turn(this.#pool.waitingCount, performance.now())
        release(broken)
      }
      const attempt = (mayRepeat: boolean) => {
        this.#submit(client, caller, statement, settings).then(
          (result) => {
            done()
            resolve(result)
          },
          (error: Error & { code?: string }) => {
            if (mayRepeat && (isStalePlan(error) || isDeadlock(error))) return attempt(false)
            done(isConnectionLost(error) ? error : undefined)
            reject(error)
          },
        )
      }
      attempt(true)
    })
    return promise
  }

  /** The few operations that need several statements and a decision between them. Prefer one statement, or a function in SQL. */
  async transaction<Result>(
    caller: Caller,
    work: (db: CallerDb) => Promise<Result>,
    settings: RequestSettings = {},
  ): Promise<Result> {
    const client = await this.#connect()
    let broken: Error | undefined
    try {
      await client.query('begin')
      const result = await work({
        rows: async <Row>(statement: Statement) =>
          (await this.#submit(client, caller, statement, settings)).rows as Row[],
      })
      await client.query('commit')
      return result
    } catch (error) {
      // A connection that can't even roll back is thrown away; the first error is the one to report.
      await client.query('rollback').catch((failure: Error) => {
        broken = failure
      })
      throw error
    } finally {
      this.#release(client, broken)
    }
  }

  /**
   * Begins to read as the caller what may be more than memory holds. Whoever has begun must close it.
   * @throws GatewayError 503 when too many read already.
   */
  async read(caller: Caller): Promise<Reading> {
    if (this.#readings >= mostReadings) throw errors.overloaded()
    this.#readings += 1
    try {
      return await Reading.begin(this.requestUrl, caller, this.#options.statementTimeoutMs, () => {
        this.#readings -= 1
      })
    } catch (cause) {
      throw errors.databaseUnavailable(cause)
    }
  }

  /** How many connections there are, how many of them are free, and how many requests wait for one. */
  connections(): { readonly open: number; readonly idle: number; readonly waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { open: totalCount, idle: idleCount, waiting: waitingCount }
  }

  async close() {
    await this.#pool.end()
  }

  /** @throws GatewayError 503 when too many wait, or for too long. */
  async #connect() {
    if (this.#isFull()) throw errors.overloaded()
    try {
      return await this.#pool.connect()
    } catch (cause) {
      throw errors.databaseUnavailable(cause)
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

  #submit(client: pg.PoolClient, caller: Caller, statement: Statement, settings: RequestSettings) {
    return client.query(new Pipeline(caller, statement, settings)).result
  }
}

/**
 * Two statements that lock the same rows in opposite orders, as two people may who each undo many things at once: PostgreSQL ends
 * one. It has done nothing then, and a second time the other one is out of its way.
 */
function isDeadlock({ code }: { code?: string }): boolean {
  return code === '40P01'
}

/** The server has ended the connection, or is about to: nobody else shall get it (57P01 to 57P03, class 08). */
const isConnectionLost = ({ code = '' }: { code?: string }): boolean => /^(57P0[1-3]|08...)$/.test(code)
