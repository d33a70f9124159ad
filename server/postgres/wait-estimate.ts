/** Of the newest interval in the mean: some twenty of them decide. */
const weight = 0.1
/**
 * The most that one interval says: a pause of the whole machine is over when it is noticed, and must not turn anybody away. Where turns
 * take longer than this, the few dozen that may always wait (`database.ts`) are more than would be let in by the wait.
 */
const mostIntervalMs = 40
/** Many at once, or a pause, is waited for: by then somebody still waits for the answer. */
const burstMs = 2_000
/** A queue that has stood for longer than a burst takes to work off is too much work, and waiting only makes it everybody's wait. */
const standingAfterMs = 10_000
const standingMs = 500
/** What one interval adds to `standingAfterMs` at most: a pause is no queue that stands. */
const mostStandingMs = 500

/**
 * How long whoever joins the queue now would wait: its length, times the mean time between two turns while somebody waited. A queue that is
 * bounded by its length alone is a second long where requests are quick, and many where they are slow: those who wait have left by then.
 *
 * How long is too long depends on how long there has been a queue (after "Fail at Scale", ACM Queue 13/8, 2015): a burst is worked off,
 * but a queue that stands makes nobody's answer come sooner by being long, and keeps all waiting when the load is gone.
 */
export class WaitEstimate {
  #betweenTurnsMs = 0
  #lastTurnAt: number | undefined
  /** For how long somebody has waited at every turn. */
  #standsMs = 0

  /** A connection came free at `now`, in milliseconds; `waiting` says how many wait for it. */
  turn(waiting: number, now: number): void {
    if (waiting === 0) {
      // Between two turns that nobody waits for lies idleness, which says nothing.
      this.#lastTurnAt = undefined
      this.#standsMs = 0
      return
    }
    if (this.#lastTurnAt !== undefined) {
      const interval = now - this.#lastTurnAt
      this.#betweenTurnsMs += weight * (Math.min(mostIntervalMs, interval) - this.#betweenTurnsMs)
      this.#standsMs += Math.min(mostStandingMs, interval)
    }
    this.#lastTurnAt = now
  }

  milliseconds(waiting: number): number {
    return waiting * this.#betweenTurnsMs
  }

  /** Whether who would be one more than `waiting` had better be refused. */
  isTooLong(waiting: number): boolean {
    return this.milliseconds(waiting) > (this.#standsMs > standingAfterMs ? standingMs : burstMs)
  }
}
