import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { LogicalReplicationService, type Pgoutput, PgoutputPlugin } from 'pg-logical-replication'
import { userOf } from '../database-hosts.ts'
import { findPrimary } from '../postgres/find-primary.ts'
import { endWithPrimary } from '../postgres/host-watch.ts'
import type { ChangeEvent } from './join-config.ts'
import { broadcasts, publications } from './relations.ts'
import type { LoggedRow } from './row-filter.ts'

/** One committed change of one row. */
export type Change = {
  readonly type: Exclude<ChangeEvent, '*'>
  readonly schema: string
  readonly table: string
  /** The row after the change; for a deletion, before it. */
  readonly row: LoggedRow
  /** The row before the change, as far as its table's replica identity includes it. */
  readonly old: LoggedRow | undefined
  readonly committedAt: Date
  /** The transaction that made it. */
  readonly xid: number
}

export type ChangeReaderOptions = {
  readonly ownerUrl: string
  readonly log: FastifyBaseLogger
  /** Awaited before the next change is read, so a slow receiver pauses the log instead of filling the memory. */
  readonly onChange: (change: Change) => Promise<void>
  /** A table appears for the first time, or its columns have changed. */
  readonly onTable: () => void
  /** Changes may have been missed. */
  readonly onLost: () => void
}

/** Whether changes and broadcasts of the database are read; if not, the reason, once an attempt has failed. */
export type ReaderState = { readonly isReading: boolean; readonly failure: string | undefined }

const firstRetryMs = 250
const maxRetryMs = 10_000
const stopMs = 800

/**
 * Follows the write-ahead log through a temporary replication slot. The slot ends with the connection, so a lost node
 * never keeps the log growing. Changes during an outage are not delivered later; listeners learn that they may have missed some.
 */
export class ChangeReader {
  readonly #options: ChangeReaderOptions
  #service: LogicalReplicationService | undefined
  #running: Promise<void> | undefined
  #isStopped = false
  #live = Promise.withResolvers<void>()
  #isReading = false
  #failure: string | undefined

  constructor(options: ChangeReaderOptions) {
    this.#options = options
  }

  start() {
    this.#running ??= this.#run()
  }

  get state(): ReaderState {
    return { isReading: this.#isReading, failure: this.#failure }
  }

  /** Resolves once every later change will be seen: true, or false after a timeout. Starts the reader. */
  async isLive(waitMs: number): Promise<boolean> {
    this.start()
    return Promise.race([this.#live.promise.then(() => true), delay(waitMs, false, { ref: false })])
  }

  async stop() {
    this.#isStopped = true
    await Promise.race([this.#service?.destroy(), delay(stopMs, undefined, { ref: false })])
    await Promise.race([this.#running, delay(stopMs, undefined, { ref: false })])
  }

  async #run() {
    let retryMs = firstRetryMs
    while (!this.#isStopped) {
      const wasLive = await this.#follow()
      if (this.#isStopped) return
      if (wasLive) {
        retryMs = firstRetryMs
        this.#live = Promise.withResolvers<void>()
        this.#options.onLost()
      }
      await delay(retryMs, undefined, { ref: false })
      retryMs = Math.min(retryMs * 2, maxRetryMs)
    }
  }

  /** Follows until the connection ends. @returns whether changes were being read. */
  async #follow(): Promise<boolean> {
    const { ownerUrl } = this.#options
    const connectionString = await this.#findPrimary()
    if (connectionString === undefined || this.#isStopped) return false
    const service = new LogicalReplicationService(
      { connectionString, application_name: 'ovation realtime', keepAlive: true },
      { acknowledge: { auto: false, timeoutSeconds: 10 }, flowControl: { enabled: true } },
    )
    this.#service = service
    service.on('error', (err: Error) => this.#report(err, 'lost the replication connection'))
    service.on('start', () => {
      this.#isReading = true
      this.#failure = undefined
      this.#live.resolve()
    })
    service.on('heartbeat', (lsn: string, _sentAt: number, wantsAnswer: boolean) => {
      if (wantsAnswer) void service.acknowledge(justBefore(lsn))
    })
    this.#forward(service)
    try {
      await service.subscribe(
        new TemporarySlotPlugin(this.#options.onTable, (client) => endWithPrimary(client, ownerUrl, connectionString)),
        `ovation_${randomBytes(8).toString('hex')}`,
      )
    } catch (err) {
      this.#report(err, "can't follow the log, retrying")
    }
    await Promise.race([service.destroy(), delay(stopMs, undefined, { ref: false })])
    const wasReading = this.#isReading
    this.#isReading = false
    return wasReading
  }

  /** The service opens its connection itself, with pg's client, which knows only one host. */
  async #findPrimary(): Promise<string | undefined> {
    try {
      return await findPrimary(this.#options.ownerUrl)
    } catch (err) {
      this.#report(err, "can't follow the log, retrying")
      return undefined
    }
  }

  #report(err: unknown, what: string) {
    const { ownerUrl, log } = this.#options
    this.#failure = explain(err, ownerUrl)
    if (!this.#isStopped) log.warn({ err }, `realtime: ${what}. ${this.#failure}`)
  }

  #forward(service: LogicalReplicationService) {
    let committedAt = new Date()
    let xid = 0
    service.on('data', async (_lsn: string, message: Pgoutput.Message) => {
      if (message.tag === 'begin') {
        committedAt = new Date(Number(message.commitTime.valueOf() / 1000n))
        xid = message.xid
      }
      if (message.tag !== 'insert' && message.tag !== 'update' && message.tag !== 'delete') return
      const { schema, name: table } = message.relation
      const old: LoggedRow | undefined =
        message.tag === 'insert' ? undefined : (message.old ?? message.key ?? undefined)
      const row: LoggedRow = message.tag === 'delete' ? (old ?? {}) : message.new
      const type = message.tag.toUpperCase() as Change['type']
      await this.#options.onChange({ type, schema, table, row, old, committedAt, xid })
    })
  }
}

/** Explains to the operator why the log can't be read, with the fix for the usual causes. */
function explain(error: unknown, ownerUrl: string): string {
  const { code, message } = error as { code?: unknown; message?: unknown }
  const said = `PostgreSQL says: ${String(message)}.`
  if (code === '42501') {
    const role = userOf(ownerUrl) || '…'
    return `The role of DATABASE_URL lacks REPLICATION: run "alter role ${role} replication" as a superuser. ${said}`
  }
  if (code === '55000') return `PostgreSQL runs without wal_level = logical: set it and restart PostgreSQL. ${said}`
  if (code === '53400') return `All replication slots are in use: raise max_replication_slots. ${said}`
  if (code === '53300') return `All connections for replication are in use: raise max_wal_senders. ${said}`
  if (code === '08P01') {
    return `DATABASE_URL leads through a pooler, which doesn't pass replication on: connect to PostgreSQL directly. ${said}`
  }
  return said
}

/**
 * `acknowledge` names the byte after its argument, so this makes it name the position itself. A server that shuts
 * down waits until its readers have confirmed exactly what it sent, for over a minute if they never do.
 */
function justBefore(lsn: string): string {
  const [upper = '0', lower = '0'] = lsn.split('/')
  const before = (BigInt(`0x${upper}`) << 32n) + BigInt(`0x${lower}`) - 1n
  return `${(before >> 32n).toString(16)}/${(before & 0xffff_ffffn).toString(16)}`
}

/** Runs pgoutput on a slot that lives as long as its connection, with values as PostgreSQL's text. */
class TemporarySlotPlugin extends PgoutputPlugin {
  readonly #onTable: () => void
  readonly #onConnected: (client: pg.Client) => void

  constructor(onTable: () => void, onConnected: (client: pg.Client) => void) {
    super({ protoVersion: 1, publicationNames: [...publications, broadcasts] })
    this.#onTable = onTable
    this.#onConnected = onConnected
  }

  override async start(client: pg.Client, slotName: string, lastLsn: string) {
    this.#onConnected(client)
    await createMissing(client)
    // Replication commands have a separate grammar: capitals only.
    await client.query(`CREATE_REPLICATION_SLOT "${slotName}" TEMPORARY LOGICAL pgoutput NOEXPORT_SNAPSHOT`)
    return super.start(client, slotName, lastLsn)
  }

  override parse(buffer: Buffer): Pgoutput.Message {
    const message = super.parse(buffer)
    if (message.tag === 'relation') {
      for (const column of message.columns) column.parser = (text: string) => text
      this.#onTable()
    }
    return message
  }
}

/** PostgreSQL before 18 reads nothing when a publication is missing, and operators drop and recreate theirs. */
async function createMissing(client: pg.Client) {
  const { rows } = await client.query<{ pubname: string }>('select pubname from pg_publication')
  const known = new Set(rows.map(({ pubname }) => pubname))
  for (const name of publications) if (!known.has(name)) await client.query(`create publication ${name}`)
}
