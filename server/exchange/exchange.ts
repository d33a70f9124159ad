import type { RateLimit } from './token-buckets.ts'

/** A rate limit that all processes count together. */
export type SharedLimit = RateLimit & { readonly name: string }

export type Subscription = {
  /** Resolves once messages arrive; at once while the exchange is down, and then they arrive when it is back. */
  readonly started: Promise<void>
  end(): void
}

/** What the processes of an installation share: counts of rate limits, and messages. Nothing of it is needed after a loss. */
export type Exchange = {
  /**
   * Takes uses of a limit; 0 only looks, and -1 gives one back.
   * @returns 0, or the seconds until that many are allowed, in which case none was taken; undefined if the exchange doesn't answer.
   */
  spend(limit: SharedLimit, key: string, uses: number): Promise<number | undefined>
  /** Sends a message to all processes, this one included. It is lost while the exchange is down. */
  publish(channel: string, message: Buffer): Promise<void>
  /** @param onBack runs after an outage: messages may have been lost. */
  subscribe(channel: string, onMessage: (message: Buffer) => void, onBack: () => void): Subscription
}
