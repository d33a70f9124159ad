import { buildTextCache } from '../text-cache.ts'
import type { Catalogue } from './catalogue/types.ts'
import type { Compiled } from './compile/statement.ts'
import type { RequestPlan } from './resolve/plan.ts'

export type Prepared = { readonly plan: RequestPlan; readonly compiled: Compiled }

/**
 * Caches compiled requests by shape. A shape is a request without its values, so the feeds of two users share one entry and one
 * prepared statement. Plans belong to one catalog: a new catalog empties the cache.
 */
export class PlanCache {
  readonly #plans
  #catalogue: Catalogue | undefined

  constructor(maxEntries = 2_000) {
    this.#plans = buildTextCache<Prepared>({ maxEntries, maxLength: 4_096 })
  }

  get(catalogue: Catalogue, shape: string): Prepared | undefined {
    return this.#catalogue === catalogue ? this.#plans.get(shape) : undefined
  }

  set(catalogue: Catalogue, shape: string, prepared: Prepared): void {
    if (this.#catalogue !== catalogue) this.#plans.clear()
    this.#catalogue = catalogue
    this.#plans.set(shape, prepared)
  }
}
