import { buildTextCache } from '../text-cache.ts'
import type { Catalog } from './catalog/types.ts'
import type { Compiled } from './compile/statement.ts'
import type { RequestPlan } from './resolve/plan.ts'

export type Prepared = {
  readonly plan: RequestPlan
  readonly compiled: Compiled
  /** Whether a replica may answer. */
  readonly mayLag: boolean
}

/**
 * Caches compiled requests by shape. A shape is a request without its values, so the feeds of two users share one entry and one
 * prepared statement. Plans belong to one catalog: a new catalog empties the cache.
 */
export class PlanCache {
  readonly #plans
  #catalog: Catalog | undefined

  constructor(maxEntries = 2_000) {
    this.#plans = buildTextCache<Prepared>({ maxEntries, maxLength: 4_096 })
  }

  get(catalog: Catalog, shape: string): Prepared | undefined {
    return this.#catalog === catalog ? this.#plans.get(shape) : undefined
  }

  set(catalog: Catalog, shape: string, prepared: Prepared): void {
    if (this.#catalog !== catalog) this.#plans.clear()
    this.#catalog = catalog
    this.#plans.set(shape, prepared)
  }
}
