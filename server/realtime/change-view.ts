import { parse as parseArray } from 'postgres-array'
import type { Change } from './change.ts'
import { limits } from './connection-limits.ts'
import type { Column, Relation } from './relation.ts'
import type { LoggedRow } from './row-filter.ts'

type JsonRow = Record<string, unknown>

/**
 * A change as one user may see it, in the shape that clients parse (realtime-js `RealtimeChannel`), written as JSON: many
 * receivers get the same text.
 * @param record the row as that user sees it, as JSON; undefined for a deletion.
 */
export function writeChange(change: Change, relation: Relation, record?: string): string {
  const { schema, table, columns } = relation
  const { type, committedAt } = change
  const head = JSON.stringify({ schema, table, commit_timestamp: committedAt.toISOString(), type, columns }).slice(
    0,
    -1,
  )
  const old = type === 'INSERT' ? '' : `,"old_record":${JSON.stringify(oldRecord(change, relation))}`
  const isTooLarge = record !== undefined && record.length > limits.maxRecordLength
  const recordPart = record === undefined ? '' : `,"record":${isTooLarge ? shorten(record) : record}`
  return `${head}${recordPart}${old},"errors":${isTooLarge ? '["Error 413: Payload Too Large"]' : 'null'}}`
}

/** The same with only the selected columns. */
export function narrowChange(written: string, select: readonly string[]): string {
  const { columns, record, ...rest } = JSON.parse(written)
  const pick = (row: JsonRow) => Object.fromEntries(Object.entries(row).filter(([name]) => select.includes(name)))
  const kept = (columns as Column[]).filter(({ name }) => select.includes(name))
  return JSON.stringify({ ...rest, columns: kept, ...(record && { record: pick(record) }) })
}

/** Behind policies only the key is sent: the receiver may not have been allowed to see the old row. */
function oldRecord({ old }: Change, { isGuarded, key, columns }: Relation): JsonRow {
  const visible = columns.filter(({ name }) => old?.[name] !== undefined && (!isGuarded || key.includes(name)))
  return Object.fromEntries(visible.map(({ name, type }) => [name, arrayAsJson(old?.[name] ?? null, type)]))
}

/** The client reads every other type in PostgreSQL's format, but only the simplest arrays. */
function arrayAsJson(value: string | null, type: string): unknown {
  if (value === null || !type.startsWith('_')) return value
  return parseArray(value, (element) => elementAsJson(element, type.slice(1)))
}

function elementAsJson(element: string, type: string): unknown {
  if (type === 'bool') return element === 't'
  if (/^jsonb?$/.test(type)) return JSON.parse(element)
  const isNumber = /^(int[248]|float[48]|numeric)$/.test(type) && Number.isFinite(Number(element)) // NaN isn't JSON
  return isNumber ? Number(element) : element
}

/** Keeps values of up to 64 bytes, like Supabase: enough to identify the row. */
function shorten(record: string): string {
  const short = Object.entries(JSON.parse(record) as JsonRow).filter(([, value]) => JSON.stringify(value).length <= 64)
  return JSON.stringify(Object.fromEntries(short))
}

/** A logged row in a form that PostgreSQL can read: values as text, JSON as JSON. */
export function asJson(row: LoggedRow, types: readonly Column[]): JsonRow {
  const json = new Set(types.filter(({ type }) => /^jsonb?$/.test(type)).map(({ name }) => name))
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, json.has(name) && value ? JSON.parse(value) : value]),
  )
}

/** A value of a record in the log's format, for comparison with filters. */
export function asLogged(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
