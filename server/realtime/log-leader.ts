import { randomUUID } from 'node:crypto'
import type { Stream } from '../exchange/exchange.ts'
import type { Change } from './change.ts'
import { LogConnection, type LogPosition } from './log-connection.ts'
import {
  decodeEntry,
  encodeEntry,
  isHandedOver,
  type Progress,
  type ReadUpTo,
  type SharedLogContent,
} from './shared-log-entry.ts'

/** Changes of one transaction, or of a part of a large one. `commit`: where it ends, with its last part. */
type Part = { readonly changes: Change[]; at: LogPosition | undefined; commit: string | undefined }

const changesPerEntry = 500
const nothingRead: ReadUpTo = { timeline: '', lsn: '0/0', index: 0 }
/** The log waits while so many changes wait for the stream, so that they don't fill the memory. */
const mostWaiting = 5_000

type Options = {
  readonly ownerUrl: string
  readonly stream: Stream
  readonly isTemporary: boolean
  readonly renews: boolean
  readonly aliveEveryMs: number
  /** The last entry that this process has heard, for when the exchange has lost its data. */
  readonly heard: Progress | undefined
  onStart(): void
  onError(error: Error): void
}

/** Another process has taken over the stream. */
export class Replaced extends Error {
  constructor() {
    super('another process reads the log now')
  }
}

/** Reads the write-ahead log for all processes, and hands its changes to them through a stream. */
export class LogLeader {
  readonly #options: Options
  readonly #writer = randomUUID()
  readonly #connection: LogConnection
  /** How far the one before had read. */
  #before: ReadUpTo = nothingRead
  #progress: Progress = { number: 0, upTo: nothingRead }
  #parts: Part[] = []
  #waiting = 0
  #sending: Promise<void> | undefined
  #appended: Promise<void> = Promise.resolve()
  #failed = Promise.withResolvers<never>()
  #isLeading = false
  #appendedAt = 0

  constructor(options: Options) {
    this.#options = options
    const { ownerUrl, isTemporary, renews, onError } = options
    this.#connection = new LogConnection({
      ownerUrl,
      scope: isTemporary ? 'machine' : 'installation',
      renews,
      onStart: (started) => this.#begin(started),
      onChange: (change, at) => this.#take(change, at),
      onCommit: (lsn) => this.#commit(lsn),
      onTable: () => this.#append({ kind: 'table' }),
      onError,
    })
    this.#failed.promise.catch(() => undefined) // `lead` reports it, if it still runs
  }

  /** Leads until the connection ends, or another process takes over. @throws the reason; `isTaken` if there is a reader. */
  async lead(): Promise<void> {
    const { aliveEveryMs, isTemporary } = this.#options
    const timer = setInterval(() => this.#showLife(), aliveEveryMs)
    try {
      await Promise.race([this.#connection.read(), this.#failed.promise])
    } finally {
      clearInterval(timer)
      await this.#connection.end()
      await this.#sending?.catch(() => undefined) // it has failed this reader already
      // With the connection, a temporary slot ends; another one keeps what comes until the next reader begins.
      if (this.#isLeading) await this.#append({ kind: 'end', isGap: isTemporary }).catch(() => undefined)
    }
  }

  async end() {
    await this.#connection.end()
  }

  async #begin({ timeline, isNew }: { timeline: string; isNew: boolean }) {
    const last = await this.#options.stream.takeOver(this.#writer)
    const progress = last ? decodeEntry(last) : this.#options.heard
    // On another timeline, positions mean something else.
    const goesOn = !isNew && progress?.upTo.timeline === timeline
    this.#before = goesOn ? progress.upTo : { ...nothingRead, timeline }
    this.#progress = { number: progress?.number ?? 0, upTo: this.#before }
    await this.#append({ kind: 'begin', isGap: !goesOn })
    this.#isLeading = true
    this.#options.onStart()
  }

  async #take(change: Change, at: LogPosition) {
    if (isHandedOver(at, this.#before)) return
    let part = this.#parts.at(-1)
    if (!part || part.commit !== undefined || part.changes.length >= changesPerEntry) {
      part = { changes: [], at, commit: undefined }
      this.#parts.push(part)
    }
    part.changes.push(change)
    part.at = at
    this.#waiting += 1
    if (this.#waiting >= mostWaiting) await this.#send()
  }

  #commit(lsn: string) {
    const part = this.#parts.at(-1)
    if (part && part.commit === undefined) part.commit = lsn
    else this.#parts.push({ changes: [], at: undefined, commit: lsn })
    this.#send().catch(this.#failed.reject)
  }

  /** While one entry is on its way, the next transactions gather and become one entry. */
  #send(): Promise<void> {
    this.#sending ??= this.#sendParts().finally(() => {
      this.#sending = undefined
    })
    return this.#sending
  }

  async #sendParts() {
    while (this.#parts.length > 0) {
      const changes: Change[] = []
      let at: LogPosition | undefined
      let commit: string | undefined
      while (this.#parts[0] && changes.length + this.#parts[0].changes.length <= changesPerEntry) {
        const [part] = this.#parts.splice(0, 1)
        changes.push(...(part?.changes ?? []))
        at = part?.at ?? at
        commit = part?.commit ?? commit
      }
      if (at) await this.#append({ kind: 'changes', changes }, { ...at, timeline: this.#before.timeline })
      this.#waiting -= changes.length
      if (commit !== undefined) this.#connection.confirm(commit)
    }
  }

  #showLife() {
    const isQuiet = performance.now() - this.#appendedAt >= this.#options.aliveEveryMs / 2
    if (this.#isLeading && isQuiet) this.#append({ kind: 'alive' }).catch(this.#failed.reject)
  }

  /**
   * One after the other, because each says how far the log had been read: `upTo`, or as far as the one before. After a failure nothing is
   * appended, because nobody knows whether the failed entry was.
   */
  #append(content: SharedLogContent, upTo?: ReadUpTo): Promise<void> {
    const appended = this.#appended.then(async () => {
      const { number, upTo: before } = this.#progress
      const progress = { number: content.kind === 'alive' ? number : number + 1, upTo: upTo ?? before }
      const entry = encodeEntry({ ...content, ...progress })
      if (!(await this.#options.stream.append(this.#writer, [entry]))) throw new Replaced()
      this.#progress = progress
      this.#appendedAt = performance.now()
    })
    this.#appended = appended
    return appended
  }
}
