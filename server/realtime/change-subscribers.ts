import type { Channel, NumberedBinding } from './channel.ts'
import type { LoggedRow } from './row-filter.ts'

type Table = {
  /** By column, then by value: among ten thousand followers of separate rows, the right one is found at once. */
  readonly byKey: Map<string, { readonly type: string; readonly channels: Map<string, Set<Channel>> }>
  readonly others: Set<Channel>
}

/** Which channels follow which table. */
export class ChangeSubscribers {
  readonly #tables = new Map<string, Table>()
  readonly #channels = new Set<Channel>()

  get size(): number {
    return this.#channels.size
  }

  has(channel: Channel): boolean {
    return this.#channels.has(channel)
  }

  [Symbol.iterator]() {
    return this.#channels[Symbol.iterator]()
  }

  add(channel: Channel) {
    if (channel.bindings.length === 0) return
    this.#channels.add(channel)
    for (const binding of channel.bindings) this.#place(binding, (channels) => channels.add(channel))
  }

  remove(channel: Channel) {
    if (!this.#channels.delete(channel)) return
    for (const binding of channel.bindings) this.#place(binding, (channels) => channels.delete(channel))
  }

  /** Channels with a binding that may match a change of this row; `keyOf` gives the key of a value in a column of this type. */
  of(schema: string, table: string, row: LoggedRow, keyOf: (value: string, type: string) => string | undefined) {
    const found = new Set<Channel>(this.#tables.get(nameOf(schema, undefined))?.others)
    const followed = this.#tables.get(nameOf(schema, table))
    for (const channel of followed?.others ?? []) found.add(channel)
    for (const [column, { type, channels }] of followed?.byKey ?? []) {
      const value = row[column]
      const key = value && keyOf(value, type)
      // The log omits a long value that did not change, so it may be any value.
      const meeting = value === undefined ? [...channels.values()] : [channels.get(key ?? '') ?? []]
      for (const some of meeting) for (const channel of some) found.add(channel)
    }
    return found
  }

  #place({ schema, table, filterKey }: NumberedBinding, change: (channels: Set<Channel>) => void) {
    const name = nameOf(schema, table)
    const followed = this.#tables.get(name) ?? { byKey: new Map(), others: new Set<Channel>() }
    this.#tables.set(name, followed)
    if (!filterKey) change(followed.others)
    else {
      const { column, type, keys } = filterKey
      const byKey = followed.byKey.get(column) ?? { type, channels: new Map<string, Set<Channel>>() }
      followed.byKey.set(column, byKey)
      for (const key of keys) {
        const channels = byKey.channels.get(key) ?? new Set<Channel>()
        byKey.channels.set(key, channels)
        change(channels)
        if (channels.size === 0) byKey.channels.delete(key)
      }
      if (byKey.channels.size === 0) followed.byKey.delete(column)
    }
    if (followed.byKey.size === 0 && followed.others.size === 0) this.#tables.delete(name)
  }
}

function nameOf(schema: string, table: string | undefined): string {
  return `${schema}.${table ?? ''}`
}
