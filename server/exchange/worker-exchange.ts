import type { Exchange, SharedLimit, Subscription } from './exchange.ts'
import { Channels } from './local-exchange.ts'

/** A worker's side of the first process's `LocalExchange`. A worker ends with the first process, so there are no outages. */
export class WorkerExchange implements Exchange {
  readonly #first: Pick<Exchange, 'spend' | 'publish'>
  readonly #channels = new Channels()

  constructor(first: Pick<Exchange, 'spend' | 'publish'>) {
    this.#first = first
  }

  /** For messages that the first process passes on. */
  deliver(channel: string, message: Buffer) {
    this.#channels.deliver(channel, message)
  }

  spend(limit: SharedLimit, key: string, uses: number): Promise<number | undefined> {
    return this.#first.spend(limit, key, uses).catch(() => undefined) // too busy to answer in time
  }

  publish(channel: string, message: Buffer): Promise<void> {
    return this.#first.publish(channel, message)
  }

  subscribe(channel: string, onMessage: (message: Buffer) => void): Subscription {
    return this.#channels.subscribe(channel, onMessage)
  }
}
