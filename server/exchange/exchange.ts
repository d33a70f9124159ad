import type { RateLimit } from './token-buckets.ts'

/** A rate limit that all processes count together. */
export type SharedLimit = RateLimit & { readonly name: string }

export type Subscription = {
  /** Resolves once messages arrive; at once while the exchange is down, and then they arrive when it is back. */
  readonly started: Promise<void>
  end(): void
}

export type OnEntry = (entry: Buffer) => Promise<void> | void

/**
 * An ordered log of entries with one writer at a time. A follower gets each entry once, in order. Only the latest are kept, and all are lost with
 * the exchange's data, so a follower that is far behind misses some: the entries have to say what they follow.
 */
export type Stream = {
  /** From now on, only this writer can append. @returns the last entry, if there is one. @throws while the exchange is down. */
  takeOver(writer: string): Promise<Buffer | undefined>
  /** @returns false if another writer has taken over, or the stream was lost. @throws while the exchange is down. */
  append(writer: string, entries: readonly Buffer[]): Promise<boolean>
  /** The last entry and how long ago it was appended. @throws while the exchange is down. */
  last(): Promise<{ readonly entry: Buffer; readonly ageMs: number } | undefined>
  /** @param onEntry is awaited before the next entry. */
  follow(onEntry: OnEntry): Subscription
}

/** What the processes of an installation share: counts of rate limits, and messages. Nothing of it is needed after a loss. */
export type Exchange = {
  /** Whether the processes run on several machines, any of which may be lost while the others go on. */
  readonly spansMachines: boolean
  /**
   * Takes uses of a limit; 0 only looks, and -1 gives one back.
   * @returns 0, or the seconds until that many are allowed, in which case none was taken; undefined if the exchange doesn't answer.
   */
  spend(limit: SharedLimit, key: string, uses: number): Promise<number | undefined>
  /** Remembers a key for a while, for all processes. @returns false if the exchange doesn't answer. */
  remember(key: string, forMs: number): Promise<boolean>
  /** Whether a key is remembered, and then for at least that long from now; undefined if the exchange doesn't answer. */
  recall(key: string, forMs: number): Promise<boolean | undefined>
  /** Sends a message to all processes, this one included. It is lost while the exchange is down. */
  publish(channel: string, message: Buffer): Promise<void>
  /** @param onBack runs after an outage: messages may have been lost. */
  subscribe(channel: string, onMessage: (message: Buffer) => void, onBack: () => void): Subscription
  stream(name: string): Stream
}
