/** A bucket that fills with time: so many a second in the long run, so many at once. */
export class RateMeter {
  readonly #perSecond: number
  readonly #atOnce: number
  #left: number
  #filledAt = performance.now()

  constructor(perSecond: number, atOnce: number) {
    this.#perSecond = perSecond
    this.#atOnce = atOnce
    this.#left = atOnce
  }

  /** Uses so many. @returns false when there was too much of it; then none was used. */
  take(count = 1): boolean {
    const now = performance.now()
    this.#left = Math.min(this.#atOnce, this.#left + ((now - this.#filledAt) / 1000) * this.#perSecond)
    this.#filledAt = now
    if (this.#left < count) return false
    this.#left -= count
    return true
  }
}
