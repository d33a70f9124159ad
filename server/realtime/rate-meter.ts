/** A bucket that fills with time: so many a second in the long run, so many at once. */
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

  /** Uses so many. @returns false when there was too much of it; then none was used. */
  take(count = 1): boolean {
    this.#fill()
    if (this.#left < count) return false
    this.#left -= count
    return true
  }

  /**
   * Uses so many, as long as there is anything left: what is more goes into debt, so that something larger than the bucket is possible
   * and waits are as long afterwards. @returns false when there was nothing left; then none was used.
   */
  draw(count: number): boolean {
    if (!this.isOpen) return false
    this.charge(count)
    return true
  }

  /** Counts what has to happen in any case, e.g. that someone leaves. The debt has an end, so that nobody is shut out for long. */
  charge(count: number) {
    this.#fill()
    this.#left = Math.max(this.#left - count, -longestDebtSeconds * this.#perSecond)
  }

  /** Whether `draw` would be allowed. */
  get isOpen(): boolean {
    this.#fill()
    return this.#left > 0
  }

  /** What is left, as a share of what is possible at once: 1 when nothing was used lately, below 0 in debt. */
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
