import type { Exchange, SharedLimit, Stream, Subscription } from './exchange.ts'
import { LocalStream, nameOfStream, openStream } from './local-stream.ts'
import { TokenBuckets } from './token-buckets.ts'

/** Above this many remembered keys, those whose time is over are forgotten. */
const sweptAbove = 10_000

type OnMessage = (message: Buffer) => void

/** The messages of one process's subscriptions, by channel. */
export class Channels {
  readonly #subscribers = new Map<string, Set<OnMessage>>()

  deliver(channel: string, message: Buffer) {
    for (const onMessage of this.#subscribers.get(channel) ?? []) onMessage(message)
  }

  subscribe(channel: string, onMessage: OnMessage): Subscription {
    const subscribers = this.#subscribers.get(channel) ?? new Set()
    this.#subscribers.set(channel, subscribers.add(onMessage))
    return { started: Promise.resolve(), end: () => void subscribers.delete(onMessage) }
  }
}

/** The exchange of one machine without Redis: the first process counts, and passes messages on to its workers (SCALE-08). */
export class LocalExchange implements Exchange {
  readonly spansMachines = false
  readonly #limits = new Map<string, TokenBuckets>()
  readonly #known = new Map<string, number>()
  readonly #streams = new Map<string, LocalStream>()
  readonly #channels = new Channels()
  readonly #passOn: (channel: string, message: Buffer) => void

  /** @param passOn sends a message to the workers. */
  constructor(passOn: (channel: string, message: Buffer) => void) {
    this.#passOn = passOn
  }

  async spend(limit: SharedLimit, key: string, uses: number): Promise<number> {
    const buckets = this.#limits.get(limit.name) ?? new TokenBuckets(limit)
    this.#limits.set(limit.name, buckets)
    if (uses > 0) return buckets.take(key, uses)
    if (uses === 0) return buckets.wait(key)
    buckets.giveBack(key)
    return 0
  }

  async remember(key: string, forMs: number): Promise<boolean> {
    const now = performance.now()
    if (this.#known.size >= sweptAbove)
      for (const [old, until] of this.#known) if (until <= now) this.#known.delete(old)
    this.#known.set(key, now + forMs)
    return true
  }

  async recall(key: string, forMs: number): Promise<boolean> {
    const now = performance.now()
    const until = this.#known.get(key)
    if (until === undefined || until <= now) return false
    this.#known.set(key, Math.max(until, now + forMs))
    return true
  }

  async publish(channel: string, message: Buffer) {
    this.#channels.deliver(channel, message)
    this.#passOn(channel, message)
  }

  subscribe(channel: string, onMessage: OnMessage): Subscription {
    return this.#channels.subscribe(channel, onMessage)
  }

  stream(name: string): Stream {
    return openStream(name, this.#channels, this.keep(name))
  }

  /** What is kept here for all processes of the machine. */
  keep(name: string): Omit<Stream, 'follow'> {
    const publish = (entry: Buffer) => void this.publish(nameOfStream(name), entry)
    const stream = this.#streams.get(name) ?? new LocalStream(publish)
    this.#streams.set(name, stream)
    return stream
  }
}
