import { LRUCache } from 'lru-cache'

/** More roles than a server uses. A role that is no longer in use has its statements closed. */
const maxRoles = 20

/**
 * The statements that one connection has prepared. Each role has its own, and its least recently used ones are evicted, so that one
 * role can't evict another's.
 *
 * A name identifies one role and one text: plans of tables with row-level security belong to a role, and a statement shared by
 * two roles would be planned again at every change between them.
 */
export class StatementCache {
  /** By role, then by text. Texts are the same strings again and again, so their hashes are computed once. */
  readonly #roles = new LRUCache<string, LRUCache<string, Prepared>>({
    max: maxRoles,
    dispose: (statements) => statements.clear(),
  })
  readonly #maxPerRole: number
  #evicted: string[] = []
  #next = 0

  constructor(maxPerRole = 300) {
    this.#maxPerRole = maxPerRole
  }

  /** The statement's entry, with a new name if this connection hasn't prepared it. */
  get(role: string, text: string): Prepared {
    const statements = this.#roles.get(role) ?? this.#addRole(role)
    const known = statements.get(text)
    if (known) return known
    const added: Prepared = { name: `s${this.#next++}`, state: 'new', fields: undefined }
    statements.set(text, added)
    return added
  }

  /** Names that the next pipeline has to close on the server. */
  takeEvicted(): string[] {
    const names = this.#evicted
    this.#evicted = []
    return names
  }

  #addRole(role: string) {
    const statements = new LRUCache<string, Prepared>({
      max: this.#maxPerRole,
      dispose: ({ name }) => this.#evicted.push(name),
    })
    this.#roles.set(role, statements)
    return statements
  }
}

export type Prepared = {
  readonly name: string
  /** `unknown`: its pipeline failed before or after preparing it; it is closed before the next try. */
  state: 'new' | 'ready' | 'unknown'
  /** The result's columns, described once: they can't change while the statement stays prepared. */
  fields: readonly Field[] | undefined
}

/** A statement that the next one replaces, so it is prepared again each time. */
export const unnamed = (): Prepared => ({ name: '', state: 'new', fields: undefined })

export type Field = { readonly name: string; readonly parse: (text: string) => unknown }
