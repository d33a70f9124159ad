import { randomUUID } from 'node:crypto'

/** One tracked presence: the client's metadata, and the reference of this update. */
export type Meta = { readonly phx_ref: string; readonly phx_ref_prev?: string } & Readonly<Record<string, unknown>>
/** A presence with its key. */
export type Presence = { readonly key: string; readonly meta: Meta }
/** Presences by key: several devices of one user share a key. */
export type Presences = Record<string, { metas: Meta[] }>
export type PresenceDiff = { readonly joins: Presences; readonly leaves: Presences }

/** Builds a client's new presence, which replaces the one before. */
export function present(key: string, told: Readonly<Record<string, unknown>>, before?: Presence): Presence {
  return { key, meta: { ...told, phx_ref: randomUUID(), ...(before && { phx_ref_prev: before.meta.phx_ref }) } }
}

/** The presences in one room. `Owner` is the channel that tracks, here or on another node; it tracks one presence at a time. */
export class PresenceList<Owner> {
  readonly #tracked = new Map<Owner, Presence>()
  #length = 0

  /** The total size, in characters of JSON. */
  get length(): number {
    return this.#length
  }

  get isEmpty(): boolean {
    return this.#tracked.size === 0
  }

  of(owner: Owner): Presence | undefined {
    return this.#tracked.get(owner)
  }

  *[Symbol.iterator]() {
    yield* this.#tracked
  }

  state(): Presences {
    const state: Presences = Object.create(null)
    for (const presence of this.#tracked.values()) add(state, presence)
    return state
  }

  /** Tracking again replaces the old presence: others see it leave and join in one step. `undefined` ends it. */
  set(owner: Owner, presence: Presence | undefined): PresenceDiff | undefined {
    const before = this.#tracked.get(owner)
    this.#length += lengthOf(presence) - lengthOf(before)
    if (presence) this.#tracked.set(owner, presence)
    else this.#tracked.delete(owner)
    if (!presence && !before) return undefined
    return { joins: presence ? only(presence) : {}, leaves: before ? only(before) : {} }
  }
}

const lengthOf = (presence: Presence | undefined) => (presence ? JSON.stringify(presence.meta).length : 0)

/** Combines several changes, in their order. */
export function merge(diffs: readonly PresenceDiff[]): PresenceDiff {
  const [joins, leaves]: [Presences, Presences] = [Object.create(null), Object.create(null)]
  for (const diff of diffs) {
    for (const [key, { metas }] of Object.entries(diff.joins)) for (const meta of metas) add(joins, { key, meta })
    for (const [key, { metas }] of Object.entries(diff.leaves)) for (const meta of metas) add(leaves, { key, meta })
  }
  return { joins, leaves }
}

function add(presences: Presences, { key, meta }: Presence) {
  presences[key] ??= { metas: [] }
  presences[key].metas.push(meta)
}

function only(presence: Presence): Presences {
  const presences: Presences = Object.create(null)
  add(presences, presence)
  return presences
}
