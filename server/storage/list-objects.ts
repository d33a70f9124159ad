import type { CallerDb } from '../postgres/caller-db.ts'
import { fragment, sql } from '../postgres/sql.ts'

export type ListOptions = {
  readonly prefix: string
  readonly limit: number
  readonly offset: number
  readonly search: string
  readonly sortBy: { readonly column: SortColumn; readonly order: 'asc' | 'desc' }
}
export type SortColumn = 'name' | 'created_at' | 'updated_at' | 'last_accessed_at'

/** A folder has only a name: it exists because paths run through it. */
export type ListedObject = {
  readonly name: string
  readonly id: string | null
  readonly updated_at: Date | null
  readonly created_at: Date | null
  readonly last_accessed_at: Date | null
  readonly metadata: Record<string, unknown> | null
}

/**
 * One level of a bucket: folders first, then files, like storage-api (API-STO-14). Row-level security hides what the
 * caller may not read, and folders without readable content.
 * @param options.prefix the folder, with or without its slash; `search` matches the beginning of names in it, case-insensitively.
 */
export function listObjects(db: CallerDb, bucket: string, options: ListOptions): Promise<ListedObject[]> {
  const { limit, offset, search, sortBy } = options
  const trimmed = options.prefix.replace(/^\/+|\/+$/g, '')
  const folder = trimmed === '' ? '' : `${trimmed}/`
  const level = folder.split('/').length
  return db.rows<ListedObject>(sql`
    with visible as (
      select path_tokens, id, updated_at, created_at, last_accessed_at, metadata from storage.objects
      where bucket_id = ${bucket} and name collate "C" like ${`${escapeLike(folder)}%`}
        and path_tokens[${level}::int] ilike ${`${escapeLike(search)}%`}
    ), entries as (
      select distinct 0 as kind, path_tokens[${level}::int] as name, null::uuid as id, null::timestamptz as updated_at,
        null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata
      from visible where cardinality(path_tokens) > ${level}::int
      union all
      select 1, path_tokens[${level}::int], id, updated_at, created_at, last_accessed_at, metadata
      from visible where cardinality(path_tokens) = ${level}::int
    )
    select name, id, updated_at, created_at, last_accessed_at, metadata from entries
    order by kind, ${orderings[sortBy.column][sortBy.order]}, name collate "C"
    limit ${limit} offset ${offset}`)
}

const orderings = {
  name: { asc: fragment`name collate "C" asc`, desc: fragment`name collate "C" desc` },
  created_at: { asc: fragment`created_at asc`, desc: fragment`created_at desc` },
  updated_at: { asc: fragment`updated_at asc`, desc: fragment`updated_at desc` },
  last_accessed_at: { asc: fragment`last_accessed_at asc`, desc: fragment`last_accessed_at desc` },
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`)
}
