import type { CallerDb, ServiceDb } from '../postgres/caller-db.ts'
import { fragment, sql } from '../postgres/sql.ts'

export type Bucket = {
  readonly id: string
  readonly name: string
  readonly owner: string | null
  readonly public: boolean
  readonly file_size_limit: number | null
  readonly allowed_mime_types: string[] | null
  readonly created_at: Date
  readonly updated_at: Date
}
export type BucketLimits = Pick<Bucket, 'id' | 'public' | 'file_size_limit' | 'allowed_mime_types'>
export type BucketSettings = Partial<Pick<Bucket, 'public' | 'file_size_limit' | 'allowed_mime_types'>>

// bigint arrives as text from PostgreSQL; a size in bytes fits a JavaScript number, and clients expect one.
const columns = fragment`id, name, coalesce(owner::text, '') as owner, public, file_size_limit::float8 as file_size_limit,
  allowed_mime_types, created_at, updated_at`

/** As the service: the limits hold for people who may not see the bucket's row. */
export async function findBucketLimits(db: ServiceDb, id: string): Promise<BucketLimits | undefined> {
  const [bucket] = await db.rows<BucketLimits>(sql`
    select id, public, file_size_limit::float8 as file_size_limit, allowed_mime_types from storage.buckets where id = ${id}`)
  return bucket
}

export async function findBucket(db: CallerDb, id: string): Promise<Bucket | undefined> {
  const [bucket] = await db.rows<Bucket>(sql`select ${columns} from storage.buckets where id = ${id}`)
  return bucket
}

export function listBuckets(db: CallerDb, page: { limit: number; offset: number; search: string }): Promise<Bucket[]> {
  return db.rows<Bucket>(sql`
    select ${columns} from storage.buckets where strpos(lower(name), lower(${page.search})) > 0
    order by name limit ${page.limit} offset ${page.offset}`)
}

export async function insertBucket(db: CallerDb, id: string, settings: BucketSettings): Promise<void> {
  await db.rows(sql`
    insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
    values (${id}, ${id}, ${settings.public ?? false}, ${settings.file_size_limit ?? null}, ${settings.allowed_mime_types ?? null})`)
}

/** A setting that is not given stays; one that is null is taken away. */
export async function updateBucket(db: CallerDb, id: string, settings: BucketSettings): Promise<boolean> {
  const rows = await db.rows(sql`
    update storage.buckets set
      public = coalesce(${settings.public ?? null}::boolean, public),
      file_size_limit = case when ${settings.file_size_limit !== undefined}::boolean
        then ${settings.file_size_limit ?? null}::bigint else file_size_limit end,
      allowed_mime_types = case when ${settings.allowed_mime_types !== undefined}::boolean
        then ${settings.allowed_mime_types ?? null}::text[] else allowed_mime_types end
    where id = ${id} returning id`)
  return rows.length > 0
}

export async function deleteBucket(db: CallerDb, id: string): Promise<boolean> {
  const rows = await db.rows(sql`delete from storage.buckets where id = ${id} returning id`)
  return rows.length > 0
}
