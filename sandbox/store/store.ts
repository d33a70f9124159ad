import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { Hidden, Kind, Kinds } from './kinds.ts'
import { schema } from './schema.ts'

export type ListQuery = {
  account: string
  /** Equality on stored fields, by path; undefined asks for nothing: `{ customer: 'cus_…', ended_at: null }`. */
  where?: Record<string, SQLInputValue | boolean | undefined>
  created?: { gt?: number; gte?: number; lt?: number; lte?: number }
  limit?: number
  startingAfter?: string
  endingBefore?: string
}

/** What Stripe shows of an object that was deleted. */
export type Tombstone = { id: string; object: string; deleted: true }

export type DueObject = { kind: Kind; id: string; account: string; dueAt: number }

type Row = { seq: number; data: string }

/** The sandbox's memory: one SQLite file. Every change happens inside `transaction`, so a killed process leaves no half state. */
export class Store {
  readonly db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  /** @param isDurable false where a power cut may take the last changes: transactions are whole all the same, and need no disk. */
  constructor(file: string, { isDurable = true } = {}) {
    this.db = new DatabaseSync(file)
    this.db.exec(schema)
    if (!isDurable) this.db.exec('pragma synchronous = off')
  }

  /** Parsed once for each text: to parse it costs as much as to run it. The texts are few, as values are no part of them. */
  prepare(text: string): StatementSync {
    const known = this.#statements.get(text)
    if (known) return known
    const statement = this.db.prepare(text)
    this.#statements.set(text, statement)
    return statement
  }

  /** Runs `work` whole or not at all. Work is synchronous, so requests cannot interleave. */
  transaction<T>(work: () => T): T {
    this.db.exec('begin immediate')
    try {
      const result = work()
      this.db.exec('commit')
      return result
    } catch (error) {
      this.db.exec('rollback')
      throw error
    }
  }

  insert<K extends Kind>(kind: K, account: string, object: Kinds[K]): Kinds[K] {
    this.prepare('insert into objects (id, kind, account, created, data) values (?, ?, ?, ?, ?)').run(
      object.id,
      kind,
      account,
      ('created' in object ? object.created : null) ?? 0,
      JSON.stringify(object),
    )
    return object
  }

  save<K extends Kind>(object: Kinds[K]): Kinds[K] {
    this.prepare('update objects set data = ? where id = ?').run(JSON.stringify(object), object.id)
    return object
  }

  /** The object as one account sees it; `account` is `''` for the platform. */
  find<K extends Kind>(kind: K, account: string, id: string): Kinds[K] | undefined {
    const row = this.prepare('select data from objects where id = ? and kind = ? and account = ?').get(
      id,
      kind,
      account,
    ) as Row | undefined
    return row && (JSON.parse(row.data) as Kinds[K])
  }

  /** An object that must exist, because another one points at it. */
  get<K extends Kind>(kind: K, id: string): Kinds[K] {
    const row = this.prepare('select data from objects where id = ? and kind = ?').get(id, kind) as Row | undefined
    if (!row) throw new Error(`${kind} ${id} is missing from the store`)
    return JSON.parse(row.data) as Kinds[K]
  }

  /** Any object by id alone, for expansion. */
  findAny(id: string): { object: string } | undefined {
    const row = this.prepare('select data from objects where id = ?').get(id) as Row | undefined
    return row && JSON.parse(row.data)
  }

  /** One page, newest first (Stripe's order), and whether more follows in the direction asked for. */
  list<K extends Kind>(kind: K, query: ListQuery): { data: Kinds[K][]; hasMore: boolean } {
    const limit = query.limit ?? 10
    const backwards = query.endingBefore !== undefined
    const conditions = ['kind = ?', 'account = ?']
    const values: SQLInputValue[] = [kind, query.account]
    const add = (condition: string, value: SQLInputValue) => {
      conditions.push(condition)
      values.push(value)
    }
    for (const [path, value] of Object.entries(query.where ?? {}))
      if (value === null) conditions.push(`json_extract(data, '$.${path}') is null`)
      else if (value !== undefined)
        add(`json_extract(data, '$.${path}') = ?`, typeof value === 'boolean' ? Number(value) : value)
    for (const [name, operator] of [
      ['gt', '>'],
      ['gte', '>='],
      ['lt', '<'],
      ['lte', '<='],
    ] as const) {
      const bound = query.created?.[name]
      if (bound !== undefined) add(`created ${operator} ?`, bound)
    }
    if (query.startingAfter) add('seq < (select seq from objects where id = ?)', query.startingAfter)
    if (query.endingBefore) add('seq > (select seq from objects where id = ?)', query.endingBefore)
    const rows = this.prepare(
      `select data from objects where ${conditions.join(' and ')} order by seq ${backwards ? 'asc' : 'desc'} limit ?`,
    ).all(...values, limit + 1) as Row[]
    const page = rows.slice(0, limit).map((row) => JSON.parse(row.data) as Kinds[K])
    return { data: backwards ? page.reverse() : page, hasMore: rows.length > limit }
  }

  /** Every object of a kind, oldest first; for the books and the webhook endpoints, which are few or summed. */
  all<K extends Kind>(kind: K): { account: string; object: Kinds[K] }[] {
    const rows = this.prepare('select account, data from objects where kind = ? order by seq').all(kind) as {
      account: string
      data: string
    }[]
    return rows.map((row) => ({ account: row.account, object: JSON.parse(row.data) as Kinds[K] }))
  }

  /** Leaves of an object only that it was there; what points at it can still be read. */
  bury(kind: Kind, id: string): Tombstone {
    const tombstone: Tombstone = { id, object: kind, deleted: true }
    this.prepare('update objects set data = ?, due_at = null where id = ?').run(JSON.stringify(tombstone), id)
    return tombstone
  }

  remove(id: string): void {
    this.prepare('delete from objects where id = ?').run(id)
  }

  hidden<K extends keyof Hidden>(_kind: K, id: string): Hidden[K] {
    const row = this.prepare('select hidden from objects where id = ?').get(id) as { hidden: string | null } | undefined
    if (!row?.hidden) throw new Error(`${id} has no hidden part`)
    return JSON.parse(row.hidden) as Hidden[K]
  }

  setHidden<K extends keyof Hidden>(_kind: K, id: string, hidden: Hidden[K]): void {
    this.prepare('update objects set hidden = ? where id = ?').run(JSON.stringify(hidden), id)
  }

  /** Asks the clock to wake an object at a time (unix seconds), or never. */
  schedule(id: string, dueAt: number | null): void {
    this.prepare('update objects set due_at = ? where id = ?').run(dueAt, id)
  }

  /** Asks the clock to wake an object at a time, unless it is to be woken earlier. */
  scheduleBefore(id: string, dueAt: number): void {
    this.prepare('update objects set due_at = min(coalesce(due_at, ?1), ?1) where id = ?2').run(dueAt, id)
  }

  nextDue(until: number): DueObject | undefined {
    const row = this.prepare(
      'select kind, id, account, due_at as dueAt from objects where due_at <= ? order by due_at, seq limit 1',
    ).get(until)
    return row as DueObject | undefined
  }

  setting(key: string): string | undefined {
    const row = this.prepare('select value from settings where key = ?').get(key) as { value: string } | undefined
    return row?.value
  }

  setSetting(key: string, value: string): void {
    this.prepare('insert into settings values (?, ?) on conflict (key) do update set value = excluded.value').run(
      key,
      value,
    )
  }

  close(): void {
    this.db.close()
  }
}
