import type { CallerDb } from '../postgres/caller-db.ts'
import { identifier } from '../postgres/sql.ts'
import type { Change } from './change-reader.ts'
import type { Column, Relation } from './relations.ts'
import type { LoggedRow } from './row-filter.ts'

type JsonRow = Record<string, unknown>

/** A change as one person may know of it, in the shape clients take apart (realtime-js `RealtimeChannel`). */
export type ChangeView = {
  readonly schema: string
  readonly table: string
  readonly commit_timestamp: string
  readonly type: Change['type']
  readonly columns: readonly Column[]
  readonly record?: JsonRow
  readonly old_record?: JsonRow
  readonly errors: null
}

/**
 * What of an insert or update the receiver may see, asked of the database as that person (API-RT-04): through the table that
 * clients know, so that masking and column rights hold as they do in rest/v1.
 * @returns undefined when the row is none of theirs, or gone already.
 */
export async function viewRow(db: CallerDb, change: Change, relation: Relation): Promise<ChangeView | undefined> {
  const { schema, table, columns, key } = relation
  const names = columns.map(({ name }) => identifier(name)).join(', ')
  const conditions = key.map((name, index) => `${identifier(name)} = $${index + 1}`).join(' and ')
  const [found] = await db.rows<{ record: JsonRow }>({
    text: `select row_to_json(r) as record from (select ${names} from ${identifier(schema)}.${identifier(table)} where ${conditions}) r`,
    values: key.map((name) => change.row[name]),
  })
  if (!found) return undefined
  const view = { ...frameOf(change, relation), record: found.record }
  return change.type === 'INSERT' ? view : { ...view, old_record: oldRecord(change, relation) }
}

/** A deletion, for someone who could see the row before. */
export function viewDeletion(change: Change, relation: Relation): ChangeView {
  return { ...frameOf(change, relation), old_record: oldRecord(change, relation) }
}

function frameOf({ committedAt, type }: Change, { schema, table, columns }: Relation): ChangeView {
  return { schema, table, commit_timestamp: committedAt.toISOString(), type, columns, errors: null }
}

/** Behind policies only the key is told: what the row said before may have been none of the receiver's business. */
function oldRecord({ old }: Change, { isGuarded, key, columns }: Relation): JsonRow {
  const names = isGuarded ? key : columns.map(({ name }) => name)
  return Object.fromEntries(names.flatMap((name) => (old?.[name] === undefined ? [] : [[name, old[name]]])))
}

/** A logged row as PostgreSQL reads it back: values as text, JSON as JSON. */
export function asJson(row: LoggedRow, types: readonly Column[]): JsonRow {
  const json = new Set(types.filter(({ type }) => /^jsonb?$/.test(type)).map(({ name }) => name))
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, json.has(name) && value ? JSON.parse(value) : value]),
  )
}
