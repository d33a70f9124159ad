import { setTimeout as delay } from 'node:timers/promises'
import { LogicalReplicationService, type Pgoutput } from 'pg-logical-replication'
import { findPrimary } from '../postgres/find-primary.ts'
import { endWithPrimary } from '../postgres/host-watch.ts'
import type { Change } from './change.ts'
import type { LoggedRow } from './row-filter.ts'
import { SlotPlugin, type SlotScope } from './slot-plugin.ts'

/** Where a change is in the log: its transaction's commit record, and its number within the transaction. */
export type LogPosition = { readonly lsn: string; readonly index: number }

type Options = {
  readonly ownerUrl: string
  readonly scope: SlotScope
  readonly renews: boolean
  /** The log is read from now on; awaited before the first change. */
  onStart(plugin: Pick<SlotPlugin, 'timeline' | 'isNew'>): Promise<void> | void
  /** Awaited before the next change is read, so a slow receiver pauses the log instead of filling the memory. */
  onChange(change: Change, at: LogPosition): Promise<void> | void
  /** A transaction ends here. When none of its changes is needed again, `confirm` the position. */
  onCommit(lsn: string): Promise<void> | void
  onTable(): Promise<void> | void
  /** Runs before `read` rejects, with what the connection reports. */
  onError(error: Error): void
}

const confirmEveryMs = 1_000
const endWithinMs = 800

/** One connection to the primary that reads the write-ahead log through a slot. */
export class LogConnection {
  readonly #options: Options
  #service: LogicalReplicationService | undefined
  #hasEnded = false
  /** Messages that have arrived and aren't handled yet. */
  #open = 0
  #isInTransaction = false
  #lastCommit: string | undefined
  #confirmedCommit: string | undefined
  #confirmed: string | undefined
  #confirmedAt = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** Reads until the connection ends. @throws what keeps it from reading, or what a handler throws. */
  async read(): Promise<void> {
    const { ownerUrl, scope, renews, onError } = this.#options
    // The service opens its connection itself, with pg's client, which knows only one host.
    const connectionString = await findPrimary(ownerUrl)
    if (this.#hasEnded) return
    const service = new LogicalReplicationService(
      { connectionString, application_name: 'ovation realtime', keepAlive: true },
      // The service would confirm what has arrived; here, what is handled is confirmed.
      { acknowledge: { auto: false, timeoutSeconds: 0 }, flowControl: { enabled: true } },
    )
    this.#service = service
    const plugin = new SlotPlugin({
      scope,
      renews,
      onConnected: (client) => endWithPrimary(client, ownerUrl, connectionString),
      onMessage: () => {
        this.#open += 1
      },
    })
    service.on('error', onError)
    service.on('heartbeat', (lsn: string, _sentAt: number, wantsAnswer: boolean) => {
      if (this.#isIdle) this.#confirmed = lsn
      this.#sendConfirmation(wantsAnswer)
    })
    try {
      await Promise.race([service.subscribe(plugin, ''), this.#handle(service, plugin)])
    } finally {
      await this.end()
    }
  }

  /** Nothing up to this commit is needed again: a slot that stays goes on after it. */
  confirm(lsn: string) {
    this.#confirmed = lsn
    this.#confirmedCommit = lsn
    this.#sendConfirmation(false)
  }

  async end() {
    this.#hasEnded = true
    const service = this.#service
    if (!service) return
    this.#sendConfirmation(true)
    await Promise.race([service.destroy(), delay(endWithinMs, undefined, { ref: false })])
  }

  /** Whether all that the server has sent is handled and confirmed. */
  get #isIdle(): boolean {
    return this.#open === 0 && !this.#isInTransaction && this.#lastCommit === this.#confirmedCommit
  }

  /** Rejects when a handler does. */
  #handle(service: LogicalReplicationService, plugin: SlotPlugin): Promise<never> {
    const { promise: failed, reject } = Promise.withResolvers<never>()
    const started = Promise.withResolvers<void>()
    service.on('start', () => {
      Promise.resolve(this.#options.onStart(plugin)).then(started.resolve, reject)
    })
    const handleOne = this.#messageHandler()
    service.on('data', async (_lsn: string, message: Pgoutput.Message) => {
      try {
        await started.promise
        await handleOne(message)
        this.#open -= 1
      } catch (error) {
        reject(error)
        // The service would go on with the next message.
        await new Promise(() => undefined)
      }
    })
    return failed
  }

  #messageHandler(): (message: Pgoutput.Message) => Promise<void> {
    const { onChange, onCommit, onTable } = this.#options
    let committedAt = new Date()
    let xid = 0
    let lsn = ''
    let index = 0
    return async (message) => {
      switch (message.tag) {
        case 'begin':
          committedAt = new Date(Number(message.commitTime.valueOf() / 1000n))
          xid = message.xid
          lsn = message.commitLsn ?? ''
          index = 0
          this.#isInTransaction = true
          break
        case 'relation':
          await onTable()
          break
        case 'insert':
        case 'update':
        case 'delete': {
          const { schema, name: table } = message.relation
          const old: LoggedRow | undefined =
            message.tag === 'insert' ? undefined : (message.old ?? message.key ?? undefined)
          const row: LoggedRow = message.tag === 'delete' ? (old ?? {}) : message.new
          const type = message.tag.toUpperCase() as Change['type']
          index += 1
          await onChange({ type, schema, table, row, old, committedAt, xid }, { lsn, index })
          break
        }
        case 'commit':
          this.#isInTransaction = false
          this.#lastCommit = message.commitEndLsn ?? lsn
          await onCommit(this.#lastCommit)
      }
    }
  }

  #sendConfirmation(isAsked: boolean) {
    if (this.#confirmed === undefined) return
    if (!isAsked && performance.now() - this.#confirmedAt < confirmEveryMs) return
    this.#confirmedAt = performance.now()
    void this.#service?.acknowledge(justBefore(this.#confirmed))
  }
}

/**
 * `acknowledge` names the byte after its argument, so this makes it name the position itself. A server that shuts
 * down waits until its readers have confirmed exactly what it sent, for over a minute if they never do.
 */
function justBefore(lsn: string): string {
  const before = positionOf(lsn) - 1n
  return `${(before >> 32n).toString(16)}/${(before & 0xffff_ffffn).toString(16)}`
}

/** A position of the log as a number, to compare. */
export function positionOf(lsn: string): bigint {
  const [upper = '0', lower = '0'] = lsn.split('/')
  return (BigInt(`0x${upper}`) << 32n) + BigInt(`0x${lower}`)
}
