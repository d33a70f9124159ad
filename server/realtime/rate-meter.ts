/** A token bucket: a rate per second on average, and a burst. */
export class RateMeter {
  readonly #perSecond: number
  readonly #atOnce: number
  #left: number
  #filledAt = performance.now()

  constructor(perSecond: number, atOnce = 2 * perSecond) {
    this.#perSecond = perSecond
    this.#atOnce = atOnce
    this.#left = atOnce
  }

  /** Takes tokens. @returns false when there were too few; then none was taken. */
  take(count = 1): boolean {
    this.#fill()
    if (this.#left < count) return false
    this.#left -= count
    return true
  }

  /**
   * Takes tokens as long as any are left. The rest becomes debt, so that a request larger than the bucket is possible
   * and later ones wait longer. @returns false when none was left; then none was taken.
   */
  draw(count: number): boolean {
    if (!this.isOpen) return false
    this.charge(count)
    return true
  }

  /** Counts what happens in any case, e.g. that a client leaves. The debt is limited, so that no client is shut out for long. */
  charge(count: number) {
    this.#fill()
    this.#left = Math.max(this.#left - count, -longestDebtSeconds * this.#perSecond)
  }

  /** Whether `draw` would be allowed. */
  get isOpen(): boolean {
    this.#fill()
    return this.#left > 0
  }

  /** The remaining share of the burst: 1 when nothing was used recently, below 0 in debt. */
  get level(): number {
    this.#fill()
    return this.#left / this.#atOnce
  }

  #fill() {
    const now = performance.now()
    this.#left = Math.min(this.#atOnce, this.#left + ((now - this.#filledAt) / 1000) * this.#perSecond)
    this.#filledAt = now
  }
}

const longestDebtSeconds = 30
