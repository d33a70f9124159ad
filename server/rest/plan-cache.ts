import type { Catalogue } from './catalogue/types.ts'
import type { Compiled } from './compile/statement.ts'
import type { RequestPlan } from './resolve/plan.ts'

export type Prepared = { readonly plan: RequestPlan; readonly compiled: Compiled }

/** A shape can be as long as a URL; longer ones are not worth the room. */
const maxShapeLength = 4_096

/**
 * What was compiled for a shape of request, least recently used first out. A shape is a request without its values, so the feed of
 * one person and that of another are the same entry, and the same prepared statement.
 */
export class PlanCache {
  readonly #capacity: number
  #catalogue: Catalogue | undefined
  #entries = new Map<string, Prepared>()

  constructor(capacity = 2_000) {
    this.#capacity = capacity
  }

  /** What is kept under `shape`, or else what `prepare` makes. Another catalogue empties the cache. */
  take(catalogue: Catalogue, shape: string, prepare: () => Prepared): Prepared {
    if (this.#catalogue !== catalogue) {
      this.#catalogue = catalogue
      this.#entries = new Map()
    }
    const known = this.#entries.get(shape)
    // Who was used last counts only where somebody has to go.
    if (known && this.#entries.size < this.#capacity) return known
    if (known) this.#entries.delete(shape)
    const entry = known ?? prepare()
    if (shape.length <= maxShapeLength) this.#entries.set(shape, entry)
    if (this.#entries.size > this.#capacity) this.#evictOldest()
    return entry
  }

  #evictOldest() {
    for (const shape of this.#entries.keys()) {
      this.#entries.delete(shape)
      return
    }
  }
}
