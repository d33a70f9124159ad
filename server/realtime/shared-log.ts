import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Exchange, Stream, Subscription } from '../exchange/exchange.ts'
import { withClient } from '../postgres/migrate.ts'
import type { ChangeHandlers, ChangeSource, ReaderState } from './change.ts'
import { explainLogFailure } from './explain-log-failure.ts'
import { LogLeader, Replaced } from './log-leader.ts'
import { decodeEntry, type Progress } from './shared-log-entry.ts'
import { endSharedReader, isTaken, isUnreadable } from './slot-plugin.ts'

export type SharedLogTimes = {
  /** How often the reader shows that it is alive. */
  readonly aliveEveryMs: number
  /** After this silence, others try to take its place. They can if its connection has ended. */
  readonly silentAfterMs: number
  /** After this silence, they end its connection: it is frozen, or cut off from them. */
  readonly endAfterMs: number
}

export type SharedLogOptions = ChangeHandlers & {
  readonly ownerUrl: string
  readonly exchange: Exchange
  readonly log: FastifyBaseLogger
  readonly times?: SharedLogTimes
}

const usualTimes: SharedLogTimes = { aliveEveryMs: 2_000, silentAfterMs: 6_000, endAfterMs: 15_000 }
const lookEveryMs = 500
const maxRetryMs = 10_000
const stopMs = 800

/**
 * The changes of the database for one of several processes. One of them reads the log, for all (`LogLeader`); the others notice when it is
 * silent, and one takes its place. The replication slot decides which one, because it has one reader at a time.
 */
export class SharedLog implements ChangeSource {
  readonly #options: SharedLogOptions
  readonly #times: SharedLogTimes
  readonly #stream: Stream
  #subscription: Subscription | undefined
  #leader: LogLeader | undefined
  #running: Promise<void> | undefined
  #isStopped = false
  #renews = false
  #failure: string | undefined
  #heard: Progress | undefined
  #heardAt = Number.NEGATIVE_INFINITY
  #silentSince = performance.now()
  #live = Promise.withResolvers<void>()
  #wake = Promise.withResolvers<void>()

  constructor(options: SharedLogOptions) {
    this.#options = options
    this.#times = options.times ?? usualTimes
    this.#stream = options.exchange.stream('changes')
  }

  start() {
    this.#running ??= this.#run()
  }

  get state(): ReaderState {
    const isReading = this.#silentForMs < this.#times.endAfterMs
    return { isReading, failure: isReading ? undefined : this.#failure }
  }

  async isLive(waitMs: number): Promise<boolean> {
    this.start()
    if (this.state.isReading) return true
    return Promise.race([this.#live.promise.then(() => true), delay(waitMs, false, { ref: false })])
  }

  async stop() {
    this.#isStopped = true
    this.#wake.resolve()
    await this.#leader?.end()
    await Promise.race([this.#running, delay(stopMs, undefined, { ref: false })])
    this.#subscription?.end()
  }

  get #silentForMs(): number {
    return performance.now() - this.#heardAt
  }

  async #run() {
    this.#subscription = this.#stream.follow((entry) => this.#hear(entry))
    await this.#subscription.started
    this.#silentSince = performance.now()
    let retryMs = lookEveryMs
    while (!this.#isStopped) {
      const hasLed = this.#silentForMs > this.#times.silentAfterMs && (await this.#tryToLead())
      retryMs = hasLed || this.state.isReading ? lookEveryMs : Math.min(retryMs * 2, maxRetryMs)
      // Spread, so that not all processes try at once.
      await Promise.race([delay(retryMs * (0.5 + Math.random()), undefined, { ref: false }), this.#wake.promise])
      this.#wake = Promise.withResolvers()
    }
  }

  /** Reads the log for all, unless another process does, until something ends it. @returns whether it has. */
  async #tryToLead(): Promise<boolean> {
    const { ownerUrl, exchange, log } = this.#options
    let hasLed = false
    try {
      const last = await this.#stream.last()
      if (this.#isStopped) return false
      const kind = last && decodeEntry(last.entry).kind
      if (last && kind !== 'end' && last.ageMs < this.#times.silentAfterMs) {
        // Heard by others, before this process began to listen or while it was busy. A beginning may be a gap, so it has to be heard.
        if (kind !== 'begin') this.#noteLife(last.ageMs)
        return false
      }
    } catch {
      // While the exchange is down, nothing could be handed over, and every reader is silent.
      return false
    }
    const leader = new LogLeader({
      ownerUrl,
      stream: this.#stream,
      isTemporary: !exchange.spansMachines,
      renews: this.#renews,
      aliveEveryMs: this.#times.aliveEveryMs,
      heard: this.#heard,
      onStart: () => {
        hasLed = true
        this.#renews = false
        this.#failure = undefined
        log.info('realtime: this process reads the log')
      },
      onError: (err) => this.#report(err, 'lost the replication connection'),
    })
    this.#leader = leader
    try {
      await leader.lead()
    } catch (err) {
      if (isTaken(err)) await this.#endSilentReader()
      else if (err instanceof Replaced) log.info('realtime: another process reads the log')
      else this.#report(err, "can't follow the log, retrying")
      this.#renews = isUnreadable(err)
    }
    if (hasLed) this.#noteEnd()
    return hasLed
  }

  async #endSilentReader() {
    const { ownerUrl, log } = this.#options
    // From when this process began to listen, if the one that reads has never been heard.
    const silentForMs = performance.now() - Math.max(this.#heardAt, this.#silentSince)
    if (silentForMs < this.#times.endAfterMs) return
    log.warn({ silentForMs }, 'realtime: ending the connection of a reader of the log that is silent')
    await withClient(ownerUrl, endSharedReader).catch((err: unknown) => this.#report(err, "can't end a silent reader"))
  }

  async #hear(bytes: Buffer) {
    const { onChange, onTable, onLost } = this.#options
    try {
      const entry = decodeEntry(bytes)
      if (entry.kind === 'end') this.#noteEnd()
      else this.#noteLife(0)
      const expected = this.#heard && this.#heard.number + (entry.kind === 'alive' ? 0 : 1)
      const hasMissed = expected !== undefined && entry.number !== expected
      if (hasMissed || ('isGap' in entry && entry.isGap)) onLost()
      this.#heard = { number: entry.number, upTo: entry.upTo }
      if (entry.kind === 'table') onTable()
      if (entry.kind === 'changes') for (const change of entry.changes) await onChange(change)
    } catch (err) {
      this.#options.log.error({ err }, "realtime: an entry of the log couldn't be handled")
      onLost()
    }
  }

  #noteLife(agoMs: number) {
    this.#heardAt = Math.max(this.#heardAt, performance.now() - agoMs)
    this.#live.resolve()
  }

  #noteEnd() {
    this.#heardAt = Number.NEGATIVE_INFINITY
    this.#silentSince = performance.now()
    this.#live = Promise.withResolvers()
    this.#wake.resolve()
  }

  #report(err: unknown, what: string) {
    const { ownerUrl, log } = this.#options
    this.#failure = explainLogFailure(err, ownerUrl)
    if (!this.#isStopped) log.warn({ err }, `realtime: ${what}. ${this.#failure}`)
  }
}
