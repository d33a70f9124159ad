/** Of the newest interval in the mean: some twenty of them decide. */
const weight = 0.1
/** The most that one interval says: a pause of the whole machine is over when it is noticed. */
const mostMs = 500

/**
 * How long whoever joins the queue now would wait: its length, times the mean time between two turns while somebody waited. A queue that is
 * bounded by its length alone is a second long where requests are quick, and many where they are slow: those who wait have left by then.
 */
export class WaitEstimate {
  #betweenTurnsMs = 0
  #lastTurnAt: number | undefined

  /** A connection came free at `now`, in milliseconds; `waiting` says how many wait for it. */
  turn(waiting: number, now: number): void {
    if (waiting > 0 && this.#lastTurnAt !== undefined)
      this.#betweenTurnsMs += weight * (Math.min(mostMs, now - this.#lastTurnAt) - this.#betweenTurnsMs)
    // Between two turns that nobody waits for lies idleness, which says nothing.
    this.#lastTurnAt = waiting > 0 ? now : undefined
  }

  milliseconds(waiting: number): number {
    return waiting * this.#betweenTurnsMs
  }
}
