import pg from 'pg'
import type { Exchange } from '../exchange/exchange.ts'
import type { Telemetry } from '../telemetry.ts'
import { type Caller, type RequestSettings, serviceRole } from './caller.ts'
import type { CallerDb, ServiceDb } from './caller-db.ts'
import { Client } from './client.ts'
import { isConnectionLoss } from './connection-loss.ts'
import { DatabaseFailure } from './database-failure.ts'
import { isStalePlan, Pipeline, type PipelineResult } from './pipeline.ts'
import { PrimaryReaders } from './primary-readers.ts'
import { Reading } from './reading.ts'
import type { Replica } from './replica.ts'
import { Replicas } from './replicas.ts'
import { type Place, type ShareLimits, Shares } from './shares.ts'
import type { Statement } from './sql.ts'
import { WaitEstimate } from './wait-estimate.ts'

/** Always allow this many queued requests: a backlog behind one slow query clears by itself. */
const shortQueue = 50
/** If turns take longer than this, the `shortQueue` is more than the estimate would admit. */
const mostIntervalMs = 40

export type DatabaseOptions = {
  /** Connection string of the login role that serves requests: not a superuser, a member of the API roles. */
  readonly requestUrl: string
  /** Connection string of the owner: migrations, jobs, the replication slot, LISTEN. */
  readonly ownerUrl: string
  /** About twice the cores: few connections beat many. */
  readonly connections: number
  /** How many of them stay open when nobody needs them; none if left out. */
  readonly warmConnections?: number
  /** How long the others stay, in milliseconds. */
  readonly idleMs?: number
  /** How many requests may wait for a connection before the gateway answers 503. */
  readonly maxWaiting: number
  /** Undefined: everyone may take all connections. */
  readonly shares?: Omit<ShareLimits, 'maxWaiting'>
  /** The search path of every connection, in the syntax of `set search_path`; a request may set another. */
  readonly searchPath: string
  readonly statementTimeoutMs: number
  /** The key for encryption at rest. Never logged. */
  readonly encryptionKey?: string
  /** Whether connections share sessions of the server, as with PgBouncer's `pool_mode = transaction`: nothing outlasts a transaction. */
  readonly sharesSessions?: boolean
  /** False: no statement stays prepared. */
  readonly reusesStatements?: boolean
  readonly telemetry?: Telemetry | undefined
  /** Replicas for reads, with the same login role. */
  readonly replicas?: { readonly urls: readonly string[]; readonly exchange: Exchange } | undefined
}

/** The caller of a statement, and the limit of its answer. */
export type RunBounds = {
  /** Key of the client's address; undefined: it identifies no one client. */
  readonly client: string | undefined
  readonly maxBytes: number | undefined
  /** Whether a replica may answer, if the caller has seen nothing newer. */
  readonly mayLag?: boolean
}

/** How many may read large results in pages at once. Each has a connection outside the pool. */
const mostReadings = 4

/** A server that doesn't say within this time how far it is counts as away. */
const watchMs = 1_000

/** @param url of the primary or a replica. @param connectsWithinMs 0: no limit. */
function openPool(url: string, options: DatabaseOptions, connectsWithinMs = 0): pg.Pool {
  const pool = new pg.Pool({
    Client,
    connectionString: url,
    max: options.connections,
    // Each keeps up to 20 MB of the server's memory: plans, and its view of the catalog. The first statement of a new one takes 30 ms longer.
    min: options.warmConnections ?? 0,
    idleTimeoutMillis: options.idleMs ?? 30_000,
    connectionTimeoutMillis: connectsWithinMs,
    keepAlive: true,
    application_name: 'ovation',
    onConnect: async (client) => {
      if (options.sharesSessions) return // each transaction sets them: see #settingsOf
      const settings = {
        search_path: options.searchPath,
        statement_timeout: String(options.statementTimeoutMs),
        ...(options.encryptionKey !== undefined && { 'app.encryption_key': options.encryptionKey }),
      }
      for (const [name, value] of Object.entries(settings)) {
        await client.query('select set_config($1, $2, false)', [name, value])
      }
    },
  })
  // An idle connection that breaks is replaced at the next request, which reports the failure to its caller.
  pool.on('error', () => undefined)
  // A connection can also break between two statements of a request. Without a listener that would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

function openReplicas(urls: readonly string[], options: DatabaseOptions): Replicas {
  const watch = (url: string) =>
    new pg.Pool({
      Client,
      connectionString: url,
      max: 1,
      idleTimeoutMillis: 0,
      application_name: 'ovation replicas',
      connectionTimeoutMillis: watchMs,
      query_timeout: watchMs,
    }).on('error', () => undefined) // the next look reports it
  return new Replicas(
    watch(options.requestUrl),
    urls.map((url) => ({ requests: openPool(url, options, watchMs), watch: watch(url) })),
  )
}

/** The pool of request connections. APIs get a `CallerDb` from `as`; nothing else accesses the database on a user's behalf. */
export class Database {
  readonly service: ServiceDb
  readonly ownerUrl: string
  readonly requestUrl: string
  /** For connections that keep state between transactions, or a transaction for long. */
  readonly sessionUrl: string
  readonly #pool: pg.Pool
  readonly #options: DatabaseOptions
  readonly #wait = new WaitEstimate(mostIntervalMs)
  readonly #shares: Shares | undefined
  readonly #replicas: Replicas | undefined
  readonly #primaryReaders: PrimaryReaders | undefined
  #replicaReads = 0
  #readings = 0
  #fullAt = Number.NEGATIVE_INFINITY

  constructor(options: DatabaseOptions) {
    this.#options = options
    this.ownerUrl = options.ownerUrl
    this.requestUrl = options.requestUrl
    this.sessionUrl = options.sharesSessions ? options.ownerUrl : options.requestUrl
    this.#shares = options.shares && new Shares({ ...options.shares, maxWaiting: options.maxWaiting })
    this.#pool = openPool(options.requestUrl, options)
    const { urls = [], exchange } = options.replicas ?? {}
    this.#replicas = urls.length > 0 ? openReplicas(urls, options) : undefined
    this.#primaryReaders = this.#replicas && exchange && new PrimaryReaders(exchange)
    this.service = { ...this.as(serviceRole), isService: true }
  }

  as(caller: Caller, settings: RequestSettings = {}): CallerDb {
    return {
      rows: async <Row>(statement: Statement) => (await this.run(caller, statement, settings)).rows as Row[],
    }
  }

  /** Like `rows`, with the command tag, e.g. `INSERT 0 3`. */
  run(
    caller: Caller,
    statement: Statement,
    settings: RequestSettings = {},
    bounds?: RunBounds,
  ): Promise<PipelineResult> {
    const isSeen = this.#primaryReaders && bounds && caller.role !== 'service_role'
    const run = isSeen
      ? () => this.#runAnywhere(caller, statement, settings, bounds)
      : () => this.#run(caller, statement, settings, bounds)
    return this.#traced(statement, run)
  }

  /** On a replica if it has all that the caller may have seen, and else on the primary. */
  async #runAnywhere(
    caller: Caller,
    statement: Statement,
    settings: RequestSettings,
    bounds: RunBounds,
  ): Promise<PipelineResult> {
    const account = accountOf(caller)
    const replica = bounds.mayLag ? this.#replicas?.pick(account ?? bounds.client ?? '') : undefined
    if (replica && !(account !== undefined && (await this.#primaryReaders?.includes(account)))) {
      try {
        const result = await this.#runOnReplica(replica, caller, statement, settings, bounds)
        this.#replicaReads += 1
        return result
      } catch (error) {
        if (!isReplicasOwn(error)) throw error
      }
    }
    try {
      return await this.#run(caller, statement, settings, bounds)
    } finally {
      // After a failure too: the caller may not know that it was one.
      await this.stayOnPrimary(account)
    }
  }

  /** For a while, the account's reads are answered by the primary on every node. Awaited before its answer. */
  async stayOnPrimary(account: string | undefined, forMs?: number): Promise<void> {
    if (account !== undefined) await this.#primaryReaders?.add(account, forMs)
  }

  #run(
    caller: Caller,
    statement: Statement,
    settings: RequestSettings,
    bounds: RunBounds | undefined,
  ): Promise<PipelineResult> {
    const outcome = Promise.withResolvers<PipelineResult>()
    if (this.#isFull(caller, bounds?.client)) {
      outcome.reject(new DatabaseFailure({ kind: 'overloaded' }))
      return outcome.promise
    }
    const start = (place?: Place) => this.#start(outcome, caller, statement, settings, bounds, place)
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
    place: Place | undefined,
  ) {
    const replicas = settings.readOnly ? this.#replicas : undefined
    const readElsewhere = (from: Replicas) =>
      this.#readOn(() => from.connect(), caller, statement, settings, bounds).then(resolve, reject)
    if (replicas?.areNeeded) {
      place?.leave(0)
      void readElsewhere(replicas)
      return
    }
    // A read that the primary has and doesn't answer. The first answer counts.
    const stopWaiting = replicas?.untilAnswered(() => void readElsewhere(replicas))
    // With a callback instead of a promise: the pool would make three promises, and every request comes through here.
    this.#pool.connect((failure, client, release) => {
      if (!client) {
        place?.leave(0)
        stopWaiting?.()
        replicas?.noteLoss()
        if (replicas) return void readElsewhere(replicas)
        return reject(new DatabaseFailure({ kind: 'unreachable' }, { cause: failure }))
      }
      const startedAt = place ? performance.now() : 0
      const done = (broken?: Error) => {
        stopWaiting?.()
        const now = performance.now()
        this.#wait.turn(this.#pool.waitingCount, now)
        release(broken)
        place?.leave(now - startedAt)
      }
      const attempt = (repeats: number) => {
        this.#submit(client, caller, statement, settings, bounds?.maxBytes).then(
          (result) => {
            done()
            resolve(result)
          },
          (reason: Error & { code?: string }) => {
            const error: Error & { code?: string } = orReplica(reason, settings)
            if (error.code === diskFull) this.#fullAt = performance.now()
            if (repeats > 0 && isStalePlan(error)) return attempt(0)
            if (repeats > 0 && hasLostRace(error)) return void setTimeout(attempt, pauseAfterRace(), repeats - 1)
            const isLost = isConnectionLoss(error)
            done(isLost || error instanceof DatabaseFailure ? error : undefined)
            if (!isLost || !replicas) return reject(error)
            replicas.noteLoss()
            void readElsewhere(replicas)
          },
        )
      }
      attempt(maxRepeats)
    })
  }

  async #runOnReplica(
    replica: Replica,
    caller: Caller,
    statement: Statement,
    settings: RequestSettings,
    bounds: RunBounds,
  ): Promise<PipelineResult> {
    const place = await this.#enter(caller, bounds)
    const startedAt = performance.now()
    try {
      return await this.#readOn(() => replica.connect(), caller, statement, settings, bounds)
    } finally {
      place?.leave(performance.now() - startedAt)
    }
  }

  /** @throws DatabaseFailure `unreachable` if no connection opens. */
  async #readOn(
    connect: () => Promise<pg.PoolClient>,
    caller: Caller,
    statement: Statement,
    settings: RequestSettings,
    bounds: RunBounds | undefined,
  ): Promise<PipelineResult> {
    let client: pg.PoolClient
    try {
      client = await connect()
    } catch (cause) {
      throw new DatabaseFailure({ kind: 'unreachable' }, { cause })
    }
    let broken: Error | undefined
    try {
      return await this.#submit(client, caller, statement, settings, bounds?.maxBytes)
    } catch (error) {
      if (isConnectionLoss(error) || error instanceof DatabaseFailure) broken = error as Error
      throw error
    } finally {
      client.release(broken)
    }
  }

  /** Whether reads are answered although the primary can't be reached. Waits for a replica that is silent. */
  async canRead(): Promise<boolean> {
    const replicas = this.#replicas
    if (!replicas) return false
    try {
      await this.#readOn(() => replicas.connect(), serviceRole, { text: 'select 1', values: [] }, {}, undefined)
      return true
    } catch {
      return false
    }
  }

  /** For the few operations that need several statements and a decision between them. Prefer one statement, or a function in SQL. */
  async transaction<Result>(
    caller: Caller,
    work: (db: CallerDb) => Promise<Result>,
    settings: RequestSettings = {},
    bounds?: RunBounds,
  ): Promise<Result> {
    if (this.#isFull(caller, bounds?.client)) throw new DatabaseFailure({ kind: 'overloaded' })
    const place = bounds && (await this.#enter(caller, bounds))
    let client: pg.PoolClient
    try {
      client = await this.#connect()
    } catch (error) {
      place?.leave(0)
      throw error
    }
    const startedAt = performance.now()
    let broken: Error | undefined
    try {
      await client.query('begin')
      const result = await work({
        rows: async <Row>(statement: Statement) => {
          try {
            const run = () => this.#submit(client, caller, statement, settings, bounds?.maxBytes)
            return (await this.#traced(statement, run)).rows as Row[]
          } catch (reason) {
            const error = orReplica(reason as Error, settings)
            // The rest of an oversized answer is still arriving, so this connection can't be used any more.
            if (error instanceof DatabaseFailure) broken = error
            throw error
          }
        },
      })
      await client.query('commit')
      return result
    } catch (error) {
      // A connection that can't even roll back is closed; the first error is the one to report.
      if (!broken) {
        await client.query('rollback').catch((failure: Error) => {
          broken = failure
        })
      }
      throw error
    } finally {
      this.#release(client, broken)
      place?.leave(performance.now() - startedAt)
    }
  }

  /** Waits for the caller's share of the pool. @throws GatewayError 429, 503. */
  #enter(caller: Caller, { client }: RunBounds): Promise<Place | undefined> {
    return new Promise((resolve) => {
      if (this.#shares) this.#shares.enter(caller, client, resolve)
      else resolve(undefined)
    })
  }

  /**
   * Begins a read as the caller whose result may not fit in memory. The caller must close it.
   * @throws GatewayError 503 when too many reads are open.
   */
  async read(caller: Caller): Promise<Reading> {
    if (this.#readings >= mostReadings) throw new DatabaseFailure({ kind: 'overloaded' })
    this.#readings += 1
    try {
      return await Reading.begin(this.sessionUrl, caller, this.#options.statementTimeoutMs, () => {
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

  get hasReplicas(): boolean {
    return this.#replicas !== undefined
  }

  /** Resolves once no replica that is read from lacks what is committed now. */
  async catchUpReplicas(): Promise<void> {
    await this.#replicas?.catchUp()
  }

  /** For each replica, for how long it may lack commits, in milliseconds. */
  replicasBehindMs(): readonly number[] {
    return this.#replicas?.behindMs ?? []
  }

  /** How many reads replicas have answered instead of the primary. */
  get replicaReads(): number {
    return this.#replicaReads
  }

  /** Closes the connections that are free: after a busy time, each keeps much that a new one doesn't need. */
  async closeFree(): Promise<void> {
    const closeOne = async () => (await this.#pool.connect()).release(true)
    await Promise.all(Array.from({ length: this.#pool.idleCount }, closeOne))
  }

  /** Whether a statement failed for lack of disk space on the server within the last `ms`. */
  wasFullWithin(ms: number): boolean {
    return performance.now() - this.#fullAt < ms
  }

  async close() {
    await Promise.all([this.#pool.end(), this.#replicas?.end()])
  }

  /** @throws DatabaseFailure `unreachable`. */
  async #connect() {
    try {
      return await this.#pool.connect()
    } catch (cause) {
      throw new DatabaseFailure({ kind: 'unreachable' }, { cause })
    }
  }

  /**
   * Whether too many wait for a connection, or this caller would wait too long. It is decided once, when a request arrives: one that was
   * rejected after its wait would have waited for nothing. A request that has waited for a share takes the place of another, so the pool's
   * queue gets no longer by that.
   */
  #isFull(caller: Caller, client: string | undefined): boolean {
    const { waitingCount } = this.#pool
    if (waitingCount >= this.#options.maxWaiting) return true
    return waitingCount > shortQueue && this.#wait.isTooLong(waitingCount, this.#shares?.waitMs(caller, client))
  }

  #release(client: pg.PoolClient, broken: Error | undefined) {
    this.#wait.turn(this.#pool.waitingCount, performance.now())
    client.release(broken)
  }

  #submit(client: pg.PoolClient, caller: Caller, statement: Statement, settings: RequestSettings, maxBytes?: number) {
    const { reusesStatements = true } = this.#options
    const options = { maxBytes, reusesStatements }
    return client.query(new Pipeline(caller, statement, this.#settingsOf(settings), options)).result
  }

  #traced<Result>(statement: Statement, run: () => Promise<Result>): Promise<Result> {
    const { telemetry } = this.#options
    return telemetry ? telemetry.traceStatement(statement, run) : run()
  }

  /** With what a shared session doesn't keep. */
  #settingsOf(settings: RequestSettings): RequestSettings {
    const { sharesSessions, searchPath, statementTimeoutMs, encryptionKey } = this.#options
    if (!sharesSessions) return settings
    return {
      ...settings,
      searchPath: settings.searchPath ?? searchPath,
      statementTimeout: settings.statementTimeout ?? String(statementTimeoutMs),
      encryptionKey,
    }
  }
}

const diskFull = '53100'
const deadlock = '40P01'
/** On a replica, a conflict with recovery. */
const serializationFailure = '40001'
const readOnlyTransaction = '25006'

/**
 * A deadlock of two statements that lock the same rows in opposite orders, e.g. when two users each undo many things at once. Or a row that
 * another statement moved to another partition meanwhile, as news of a new month do with a grouped notification. PostgreSQL rolls one back,
 * so it can run again, and the other one is then out of its way.
 */
function hasLostRace({ code }: { code?: string }): boolean {
  return code === deadlock || code === serializationFailure
}

/** A statement that repeats at once can take its first row before the other one wakes up, which ends in the next deadlock. */
const maxRepeats = 3

/** Milliseconds. Random, so that several statements don't meet again. */
const pauseAfterRace = () => 5 + 20 * Math.random()

/** The account whose answers may not go back in time. */
function accountOf({ claims }: Caller): string | undefined {
  return typeof claims.sub === 'string' ? claims.sub : undefined
}

/** An error that the primary wouldn't have: it is away, it removes rows that this read still needs, or it can't do this while it follows. */
function isReplicasOwn(error: unknown): boolean {
  if (isConnectionLoss(error)) return true
  if (error instanceof DatabaseFailure) return error.reason.kind === 'unreachable'
  const { code } = error as { code?: string }
  return code === serializationFailure || code === readOnlyTransaction
}

/**
 * A server that takes no writes, although the statement may write: a primary that has become a replica. Another connection leads to the
 * new primary.
 */
function orReplica(error: Error & { code?: string }, { readOnly }: RequestSettings): Error {
  if (error.code !== readOnlyTransaction || readOnly) return error
  return new DatabaseFailure({ kind: 'unreachable' }, { cause: error })
}
