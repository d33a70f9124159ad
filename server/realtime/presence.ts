import { randomUUID } from 'node:crypto'

/** One tracked presence: what its client tells of itself, and the reference that names this telling. */
export type Meta = { readonly phx_ref: string; readonly phx_ref_prev?: string } & Readonly<Record<string, unknown>>
/** Presences by key: several devices of one person share a key. */
export type Presences = Record<string, { metas: Meta[] }>
export type PresenceDiff = { readonly joins: Presences; readonly leaves: Presences }

/** Who is present in one topic. `Owner` is the channel that tracks; it tracks one presence at a time. */
export class PresenceList<Owner> {
  readonly #tracked = new Map<Owner, { key: string; meta: Meta }>()

  get isEmpty(): boolean {
    return this.#tracked.size === 0
  }

  state(): Presences {
    const state: Presences = Object.create(null)
    for (const { key, meta } of this.#tracked.values()) {
      state[key] ??= { metas: [] }
      state[key].metas.push(meta)
    }
    return state
  }

  /** Tracking again replaces what was told before: the others see it leave and join in one step. */
  track(owner: Owner, key: string, told: Readonly<Record<string, unknown>>): PresenceDiff {
    const before = this.#tracked.get(owner)
    const meta: Meta = { ...told, phx_ref: randomUUID(), ...(before && { phx_ref_prev: before.meta.phx_ref }) }
    this.#tracked.set(owner, { key, meta })
    return { joins: only(key, meta), leaves: before ? only(before.key, before.meta) : {} }
  }

  untrack(owner: Owner): PresenceDiff | undefined {
    const before = this.#tracked.get(owner)
    if (!before) return undefined
    this.#tracked.delete(owner)
    return { joins: {}, leaves: only(before.key, before.meta) }
  }
}

function only(key: string, meta: Meta): Presences {
  return { [key]: { metas: [meta] } }
}
