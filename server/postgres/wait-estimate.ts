/** Weight of the newest interval in the mean, so that some twenty of them count. */
const weight = 0.1
/**
 * A burst or a pause may wait this long: its clients are still waiting for the answer, even if it takes twice as long because new
 * connections take the processor's time as well.
 */
const burstMs = 1_500
/** A queue that persists for longer than a burst needs is overload, and waiting only slows down every request. */
const standingAfterMs = 10_000
const standingMs = 500
/** The most that one interval adds to `standingAfterMs`: a pause isn't a persistent queue. */
const mostStandingMs = 500

/**
 * Estimates how long a new request in the queue would wait: the queue's length, times the mean time between two turns while requests waited.
 * A limit on the length alone allows one second where requests are fast, and many where they are slow: those clients have left by then.
 *
 * The allowed wait depends on how long there has been a queue (after "Fail at Scale", ACM Queue 13/8, 2015): a burst gets done,
 * but a persistent queue makes no answer faster by being long, and keeps every request waiting when the load is gone.
 */
export class WaitEstimate {
  readonly #mostIntervalMs: number
  #betweenTurnsMs = 0
  #lastTurnAt: number | undefined
  /** How long requests have waited at every turn. */
  #standsMs = 0

  /** @param mostIntervalMs the longest interval that counts: a pause of the whole machine is over when it is noticed. */
  constructor(mostIntervalMs: number) {
    this.#mostIntervalMs = mostIntervalMs
  }

  /** A place came free at `now`, in milliseconds; `waiting` says how many wait for it. */
  turn(waiting: number, now: number): void {
    if (waiting === 0) {
      // The time between turns without waiting requests is idle time, so it doesn't count.
      this.#lastTurnAt = undefined
      this.#standsMs = 0
      return
    }
    if (this.#lastTurnAt !== undefined) {
      const interval = now - this.#lastTurnAt
      this.#betweenTurnsMs += weight * (Math.min(this.#mostIntervalMs, interval) - this.#betweenTurnsMs)
      this.#standsMs += Math.min(mostStandingMs, interval)
    }
    this.#lastTurnAt = now
  }

  milliseconds(waiting: number): number {
    return waiting * this.#betweenTurnsMs
  }

  /**
   * Whether a request queued behind `waiting` others should be rejected.
   * @param furtherMs how long it would also wait elsewhere.
   */
  isTooLong(waiting: number, furtherMs = 0): boolean {
    return this.milliseconds(waiting) + furtherMs > (this.#standsMs > standingAfterMs ? standingMs : burstMs)
  }
}
