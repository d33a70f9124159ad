import type { CallerDb } from '../postgres/caller-db.ts'
import { sql } from '../postgres/sql.ts'
import { storageErrors } from './errors.ts'
import type { ObjectRow } from './object-queries.ts'

export type PageOptions = {
  readonly prefix: string
  /** One level: deeper objects appear as their folder. */
  readonly delimited: boolean
  readonly limit: number
  readonly sortBy: { readonly column: 'name' | 'created_at' | 'updated_at'; readonly order: 'asc' | 'desc' }
  readonly cursor: Cursor | undefined
}

/** The last entry of a page: the next page begins after it. `time` when sorted by one. */
export type Cursor = { readonly name: string; readonly time?: string }

/** A folder has a name that ends with a slash, and no id. */
export type PageEntry = Pick<ObjectRow, 'name' | 'created_at' | 'updated_at' | 'last_accessed_at' | 'metadata'> & {
  readonly id: string | null
}

export type Page = { readonly entries: PageEntry[]; readonly next: Cursor | undefined }

type Row = PageEntry & { readonly sorted_by?: string }

/** A page of what the caller may read, by key: every page costs the same. Entries are in the requested order. */
export async function listPage(db: CallerDb, bucket: string, options: PageOptions): Promise<Page> {
  const { prefix, delimited, limit, sortBy, cursor } = options
  const descending = sortBy.order === 'desc'
  const rows = await db.rows<Row>(
    sortBy.column === 'name'
      ? sql`select * from storage.list_by_name(${bucket}, ${prefix}, ${delimited}, ${cursor?.name ?? null}, ${descending}, ${limit + 1})`
      : sql`select name, id, created_at, updated_at, last_accessed_at, metadata, sorted_by::text from storage.list_by_time(
          ${bucket}, ${prefix}, ${delimited}, ${sortBy.column}, ${cursor?.time ?? null}, ${cursor?.name ?? null}, ${descending}, ${limit + 1})`,
  )
  const entries = rows.slice(0, limit)
  const last = rows.length > limit ? entries.at(-1) : undefined
  return { entries, next: last && { name: last.name, ...(last.sorted_by && { time: last.sorted_by }) } }
}

/** Opaque to clients. */
export function writeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url')
}

/** @throws InvalidRequest (400). */
export function readCursor(text: string): Cursor {
  try {
    const { name, time } = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Partial<Cursor>
    if (typeof name === 'string' && (time === undefined || typeof time === 'string')) {
      return { name, ...(time !== undefined && { time }) }
    }
  } catch {
    // Answered below.
  }
  throw storageErrors.invalidRequest('Invalid cursor')
}
