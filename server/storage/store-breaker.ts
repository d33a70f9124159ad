import { storageErrors } from './errors.ts'

/** One failure can be chance, or one slow request. */
const mostFailures = 3
const pauseMs = 5_000

/**
 * A circuit breaker for a store that can't be reached. Requests for files would otherwise each wait for its time limit, and hold the few
 * connections that a browser opens to this site. After several failures in a row, requests fail at once; every few seconds one tries
 * again, and the first success lets all through.
 */
export class StoreBreaker {
  readonly #isAway: (error: unknown) => boolean
  #failures = 0
  #triesAt = 0

  constructor(isAway: (error: unknown) => boolean) {
    this.#isAway = isAway
  }

  /** @throws StorageUnavailable (503) when the store can't be reached; what `ask` throws otherwise. */
  async run<Result>(ask: () => Promise<Result>, { always = false } = {}): Promise<Result> {
    if (this.#failures >= mostFailures && !always) {
      // Without a cause, so the log counts these instead of repeating the failure.
      if (performance.now() < this.#triesAt) throw storageErrors.storeAway()
      this.#triesAt = performance.now() + pauseMs
    }
    try {
      const result = await ask()
      this.#failures = 0
      return result
    } catch (error) {
      if (!this.#isAway(error)) {
        this.#failures = 0 // it answered
        throw error
      }
      this.#failures += 1
      this.#triesAt = performance.now() + pauseMs
      throw storageErrors.storeAway(error)
    }
  }
}
