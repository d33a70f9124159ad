import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { ChangeHandlers, ChangeSource, ReaderState } from './change.ts'
import { explainLogFailure } from './explain-log-failure.ts'
import { LogConnection } from './log-connection.ts'

export type ChangeReaderOptions = ChangeHandlers & { readonly ownerUrl: string; readonly log: FastifyBaseLogger }

const firstRetryMs = 250
const maxRetryMs = 10_000
const stopMs = 800

/**
 * Follows the write-ahead log for one process. Its replication slot ends with the connection, so a lost node never keeps the log growing.
 * Changes during an outage are not delivered later; listeners learn that they may have missed some.
 */
export class ChangeReader implements ChangeSource {
  readonly #options: ChangeReaderOptions
  #connection: LogConnection | undefined
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

  async isLive(waitMs: number): Promise<boolean> {
    this.start()
    return Promise.race([this.#live.promise.then(() => true), delay(waitMs, false, { ref: false })])
  }

  async stop() {
    this.#isStopped = true
    await this.#connection?.end()
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
    const { ownerUrl, onChange, onTable } = this.#options
    const connection = new LogConnection({
      ownerUrl,
      scope: 'process',
      renews: false,
      onStart: () => {
        this.#isReading = true
        this.#failure = undefined
        this.#live.resolve()
      },
      onChange,
      onCommit: (lsn) => connection.confirm(lsn),
      onTable,
      onError: (err) => this.#report(err, 'lost the replication connection'),
    })
    this.#connection = connection
    try {
      await connection.read()
    } catch (err) {
      this.#report(err, "can't follow the log, retrying")
    }
    const wasReading = this.#isReading
    this.#isReading = false
    return wasReading
  }

  #report(err: unknown, what: string) {
    const { ownerUrl, log } = this.#options
    this.#failure = explainLogFailure(err, ownerUrl)
    if (!this.#isStopped) log.warn({ err }, `realtime: ${what}. ${this.#failure}`)
  }
}
