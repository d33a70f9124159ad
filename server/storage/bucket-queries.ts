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

/** Runs as the service: the limits also apply to users who may not see the bucket's row. */
export async function findBucketLimits(db: ServiceDb, id: string): Promise<BucketLimits | undefined> {
  const [bucket] = await db.rows<BucketLimits>(sql`
    select id, public, file_size_limit::float8 as file_size_limit, allowed_mime_types from storage.buckets where id = ${id}`)
  return bucket
}

export async function findBucket(db: CallerDb, id: string): Promise<Bucket | undefined> {
  const [bucket] = await db.rows<Bucket>(sql`select ${columns} from storage.buckets where id = ${id}`)
  return bucket
}

export type BucketPage = {
  readonly limit: number
  readonly offset: number
  readonly search: string
  readonly sortColumn: 'id' | 'name' | 'created_at' | 'updated_at'
  readonly sortOrder: 'asc' | 'desc'
}

const orderings = {
  id: { asc: fragment`id asc`, desc: fragment`id desc` },
  name: { asc: fragment`name asc`, desc: fragment`name desc` },
  created_at: { asc: fragment`created_at asc`, desc: fragment`created_at desc` },
  updated_at: { asc: fragment`updated_at asc`, desc: fragment`updated_at desc` },
}

export function listBuckets(db: CallerDb, page: BucketPage): Promise<Bucket[]> {
  return db.rows<Bucket>(sql`
    select ${columns} from storage.buckets where strpos(lower(name), lower(${page.search})) > 0
    order by ${orderings[page.sortColumn][page.sortOrder]}, id limit ${page.limit} offset ${page.offset}`)
}

export async function insertBucket(db: CallerDb, id: string, settings: BucketSettings): Promise<void> {
  await db.rows(sql`
    insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
    values (${id}, ${id}, ${settings.public ?? false}, ${settings.file_size_limit ?? null}, ${settings.allowed_mime_types ?? null})`)
}

/** A missing setting stays as it is; null removes it. */
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
