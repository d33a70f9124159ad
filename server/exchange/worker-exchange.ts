import type { Exchange, SharedLimit, Stream, Subscription } from './exchange.ts'
import { Channels } from './local-exchange.ts'
import { openStream } from './local-stream.ts'

/** What a worker has the first process do. */
export type First = Pick<Exchange, 'spend' | 'remember' | 'recall' | 'publish'> & {
  keep(stream: string): Omit<Stream, 'follow'>
}

/** A worker's side of the first process's `LocalExchange`. A worker ends with the first process, so there are no outages. */
export class WorkerExchange implements Exchange {
  readonly spansMachines = false
  readonly #first: First
  readonly #channels = new Channels()

  constructor(first: First) {
    this.#first = first
  }

  /** For messages that the first process passes on. */
  deliver(channel: string, message: Buffer) {
    this.#channels.deliver(channel, message)
  }

  spend(limit: SharedLimit, key: string, uses: number): Promise<number | undefined> {
    return this.#first.spend(limit, key, uses).catch(() => undefined) // too busy to answer in time
  }

  remember(key: string, forMs: number): Promise<boolean> {
    return this.#first.remember(key, forMs).catch(() => false)
  }

  recall(key: string, forMs: number): Promise<boolean | undefined> {
    return this.#first.recall(key, forMs).catch(() => undefined)
  }

  publish(channel: string, message: Buffer): Promise<void> {
    return this.#first.publish(channel, message)
  }

  subscribe(channel: string, onMessage: (message: Buffer) => void): Subscription {
    return this.#channels.subscribe(channel, onMessage)
  }

  stream(name: string): Stream {
    return openStream(name, this.#channels, this.#first.keep(name))
  }
}
