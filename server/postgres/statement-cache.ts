/**
 * The statements that one connection has prepared, bounded, least recently used first out.
 *
 * A name stands for one role and one text: plans of tables with row-level security belong to a role, and a statement shared by
 * two roles would be planned anew at every change between them.
 */
export class StatementCache {
  readonly #entries = new Map<string, Prepared>()
  readonly #capacity: number
  #evicted: string[] = []
  #next = 0

  constructor(capacity = 500) {
    this.#capacity = capacity
  }

  /** The statement's entry, newly named when this connection has not met it. */
  take(role: string, text: string): Prepared {
    const key = `${role}\u0000${text}`
    const known = this.#entries.get(key)
    if (known) {
      this.#entries.delete(key)
      this.#entries.set(key, known)
      return known
    }
    const entry: Prepared = { name: `s${this.#next++}`, state: 'new', fields: undefined }
    this.#entries.set(key, entry)
    if (this.#entries.size > this.#capacity) this.#evictOldest()
    return entry
  }

  /** Names that the next pipeline has to close on the server. */
  takeEvicted(): string[] {
    const names = this.#evicted
    this.#evicted = []
    return names
  }

  #evictOldest() {
    for (const [key, { name }] of this.#entries) {
      this.#entries.delete(key)
      this.#evicted.push(name)
      return
    }
  }
}

export type Prepared = {
  readonly name: string
  /** `unknown`: the pipeline that would have prepared it failed, perhaps before, perhaps after; it is closed before the next try. */
  state: 'new' | 'ready' | 'unknown'
  /** The result's columns, described once: they can't change while the statement stays prepared. */
  fields: readonly Field[] | undefined
}

export type Field = { readonly name: string; readonly parse: (text: string) => unknown }
