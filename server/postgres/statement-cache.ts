/**
 * The statements that one connection has prepared, bounded, least recently used first out.
 *
 * A name stands for one role and one text: plans of tables with row-level security belong to a role, and a statement shared by
 * two roles would be planned anew at every change between them.
 */
export class StatementCache {
  /** By role, then by text. Texts are the same strings again and again, so their hashes are computed once. */
  readonly #roles = new Map<string, Map<string, Prepared>>()
  readonly #capacity: number
  #size = 0
  #evicted: string[] = []
  #next = 0

  constructor(capacity = 500) {
    this.#capacity = capacity
  }

  /** The statement's entry, newly named when this connection has not met it. */
  take(role: string, text: string): Prepared {
    const entries = this.#roles.get(role) ?? new Map<string, Prepared>()
    const known = entries.get(text)
    // Who was used last counts only where somebody has to go.
    if (known && this.#size < this.#capacity) return known
    if (known) {
      entries.delete(text)
      entries.set(text, known)
      return known
    }
    const entry: Prepared = { name: `s${this.#next++}`, state: 'new', fields: undefined }
    this.#roles.set(role, entries.set(text, entry))
    this.#size += 1
    if (this.#size > this.#capacity) this.#evictOldest()
    return entry
  }

  /** Names that the next pipeline has to close on the server. */
  takeEvicted(): string[] {
    const names = this.#evicted
    this.#evicted = []
    return names
  }

  /** Of the role that has prepared the most. */
  #evictOldest() {
    let largest = new Map<string, Prepared>()
    for (const entries of this.#roles.values()) if (entries.size > largest.size) largest = entries
    for (const [text, { name }] of largest) {
      largest.delete(text)
      this.#size -= 1
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
