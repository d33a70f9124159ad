import { quantile } from '../quantile.ts'

/** How a request ended. A rejection has Retry-After and its API's error format; everything else that fails is an error. */
export type Outcome = 'answered' | 'refused' | 'error'
type Entry = { readonly kind: string; readonly outcome: Outcome; readonly at: number; readonly ms: number }

/** What came of the requests of one stretch of time. */
export class Results {
  readonly startedAt = performance.now()
  readonly #entries: Entry[] = []
  /** What went wrong, in words, with how often it did. */
  readonly errors = new Map<string, number>()

  /** Several stretches as one. */
  static of(parts: readonly Results[]): Results {
    const whole = new Results()
    for (const { errors } of parts) {
      for (const [words, times] of errors) whole.errors.set(words, (whole.errors.get(words) ?? 0) + times)
    }
    for (const results of parts) for (const entry of results.#entries) whole.#entries.push(entry)
    return whole
  }

  add(kind: string, outcome: Outcome, ms: number, words?: string) {
    this.#entries.push({ kind, outcome, at: performance.now() - this.startedAt, ms })
    if (words !== undefined) this.errors.set(words, (this.errors.get(words) ?? 0) + 1)
  }

  count(outcome: Outcome): number {
    return this.#entries.reduce((sum, entry) => sum + (entry.outcome === outcome ? 1 : 0), 0)
  }

  get kinds(): readonly string[] {
    return [...new Set(this.#entries.map(({ kind }) => kind))].sort()
  }

  /** Milliseconds that all but so large a share of these took at most; NaN when there is none. */
  quantile(share: number, outcome: Outcome, kind?: string): number {
    const counted = this.#entries.filter(
      (entry) => entry.outcome === outcome && (kind === undefined || entry.kind === kind),
    )
    return quantile(msOf(counted), share)
  }

  countOf(kind: string): number {
    return this.#entries.filter((entry) => entry.kind === kind).length
  }

  /** The seconds since the beginning, in order, in which not all was well: an answer above the line at p99, a refusal, an error. */
  restlessSeconds(lineMs: number): readonly number[] {
    const seconds = Map.groupBy(this.#entries, ({ at }) => Math.floor(at / 1000))
    return [...seconds]
      .filter(
        ([, entries]) =>
          entries.some(({ outcome }) => outcome !== 'answered') || quantile(msOf(entries), 0.99) > lineMs,
      )
      .map(([second]) => second)
      .sort((one, other) => one - other)
  }

  /** Seconds from the beginning until the end of the last one in which not all was well. */
  secondsUntilCalm(lineMs: number): number {
    const last = this.restlessSeconds(lineMs).at(-1)
    return last === undefined ? 0 : last + 1
  }
}

const msOf = (entries: readonly Entry[]) => entries.map(({ ms }) => ms)
