import type { CallerDb, ServiceDb } from '../postgres/caller-db.ts'
import { fragment, type Statement, sql } from '../postgres/sql.ts'
import type { PictureFacts } from './pictures/measure-picture.ts'

/** Facts that the server measured, under storage-api's names. */
export type ObjectMetadata = {
  readonly eTag: string
  readonly size: number
  readonly mimetype: string
  readonly cacheControl: string
  readonly lastModified: string
  readonly contentLength: number
  readonly httpStatusCode: number
  /** The content coding that the sender used; the bytes are sent with it. */
  readonly contentEncoding?: string
} & Partial<MediaFacts>

/** Facts about a picture, video, or voice message, for the posts that show it (`posts.media_previews`). */
export type MediaFacts = PictureFacts & {
  /** Length of a video or voice message, in seconds. */
  readonly duration: number
  /** True when a video also plays as HLS. */
  readonly stream: boolean
  /** The loudness of the parts of a voice message: a byte each, in base64. */
  readonly waveform: string
}

export type ObjectRow = {
  readonly id: string
  readonly name: string
  readonly bucket_id: string
  readonly owner: string | null
  readonly owner_id: string | null
  readonly version: string
  readonly metadata: ObjectMetadata | null
  readonly user_metadata: Record<string, unknown> | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly last_accessed_at: Date
  /** The watermark text for the caller's copy of a picture; null: the caller may have the original. */
  readonly mark?: string | null
  /** When the story with this file ends; null for other files. */
  readonly ends_at?: Date | null
}

/** The bucket and path of an object. */
export type Place = { readonly bucket: string; readonly name: string }

export type NewObject = {
  readonly bucket: string
  readonly name: string
  /** Account that owns it; undefined: the service. */
  readonly owner: string | undefined
  readonly version: string
  readonly metadata: ObjectMetadata | null
  readonly userMetadata: Record<string, unknown> | null
}

export type WrittenObject = { readonly id: string; readonly replaced: string | null }

const columns = fragment`id, name, bucket_id, owner, owner_id, version, metadata, user_metadata, created_at, updated_at, last_accessed_at`
// Runs as the caller: the watermark depends on the viewer.
const mark = fragment`case when bucket_id = 'posts' then storage.watermark_on(name) end as mark`
const end = fragment`case when bucket_id = 'stories' then storage.story_end(name) end as ends_at`

/** The object as the caller sees it. Row-level security decides, so there is no owner check here. */
export async function findObject(db: CallerDb, bucket: string, name: string): Promise<ObjectRow | undefined> {
  const [object] = await db.rows<ObjectRow>(sql`
    select ${columns}, ${mark}, ${end} from storage.objects where bucket_id = ${bucket} and name = ${name}`)
  return object
}

/** The columns that a download needs. */
export type ContentRow = Pick<ObjectRow, 'id' | 'version' | 'metadata' | 'updated_at' | 'mark'>

/** Like `findObject`. Most downloads are small, and this query is most of their cost. */
export async function findContent(db: CallerDb, bucket: string, name: string): Promise<ContentRow | undefined> {
  const [content] = await db.rows<ContentRow>(sql`
    select id, version, metadata, updated_at, ${mark} from storage.objects where bucket_id = ${bucket} and name = ${name}`)
  return content
}

/** As the service, for which no picture has a watermark. */
export async function findContentForService(
  db: ServiceDb,
  bucket: string,
  name: string,
): Promise<ContentRow | undefined> {
  const [content] = await db.rows<ContentRow>(sql`
    select id, version, metadata, updated_at from storage.objects where bucket_id = ${bucket} and name = ${name}`)
  return content
}

/** The `Cache-Control` that the owner set for an object. */
export function lifetime({ metadata }: Pick<ObjectRow, 'metadata'>): string {
  return metadata?.cacheControl ?? 'no-cache'
}

type Found = Pick<ObjectRow, 'name' | 'version' | 'mark' | 'ends_at'>

export function findObjects(db: CallerDb, bucket: string, names: readonly string[]): Promise<Found[]> {
  return db.rows(
    sql`select name, version, ${mark}, ${end} from storage.objects where bucket_id = ${bucket} and name = any(${names})`,
  )
}

/**
 * Like `findObjects`, for the files of a page of posts. Policies check each file separately, which costs a millisecond each. One
 * query finds the files of all posts that the caller may see, and policies decide about the rest.
 */
export function findPostFiles(db: CallerDb, names: readonly string[]): Promise<Found[]> {
  return db.rows(sql`
    with open as materialized (select name, version, mark from storage.open_post_files(${names}))
    select name, version, mark from open
    union all
    select name, version, ${mark} from storage.objects
    where bucket_id = 'posts' and name = any(array(select unnest(${names}::text[]) except select name from open))`)
}

/** Yields one `WrittenObject`. For a new path only: an existing object is a unique violation. */
export function insertObject(object: NewObject): Statement {
  return sql`insert into storage.objects ${insertColumns} select ${values(object)} returning id, null as replaced`
}

/**
 * Yields one `WrittenObject`, with the version that it replaced. The row is locked and read before the write. With two concurrent
 * overwrites, the second one therefore knows the version of the first, and the content of that version is removed.
 */
export function upsertObject(object: NewObject): Statement {
  return sql`
    with previous as materialized (
      select version from storage.objects where bucket_id = ${object.bucket} and name = ${object.name} for update
    )
    insert into storage.objects ${insertColumns}
    select ${values(object)} from (select) once left join previous on true
    on conflict (bucket_id, name) do update set
      owner = excluded.owner, owner_id = excluded.owner_id, version = excluded.version,
      metadata = excluded.metadata, user_metadata = excluded.user_metadata
    returning id, (select version from previous) as replaced`
}

const insertColumns = fragment`(bucket_id, name, owner, owner_id, version, metadata, user_metadata)`

function values({ bucket, name, owner, version, metadata, userMetadata }: NewObject) {
  return fragment`${bucket}::text, ${name}::text, ${owner ?? null}::uuid, ${owner ?? null}::text, ${version}::text,
    ${metadata}::jsonb, ${userMetadata}::jsonb`
}

/** Content is named by version, so a move changes only the row. */
export async function moveObject(
  db: CallerDb,
  from: { bucket: string; name: string },
  to: { bucket: string; name: string },
): Promise<{ id: string } | undefined> {
  const [moved] = await db.rows<{ id: string }>(sql`
    update storage.objects set bucket_id = ${to.bucket}, name = ${to.name}
    where bucket_id = ${from.bucket} and name = ${from.name} returning id`)
  return moved
}

/** The deleted rows. Row-level security silently skips those that the caller may not delete. */
export function deleteObjects(db: CallerDb, bucket: string, names: readonly string[]): Promise<ObjectRow[]> {
  return db.rows<ObjectRow>(sql`
    delete from storage.objects where bucket_id = ${bucket} and name = any(${names}) returning ${columns}`)
}

export function deleteAnyObjects(db: CallerDb, bucket: string, limit: number): Promise<{ version: string }[]> {
  return db.rows(sql`
    delete from storage.objects where id in (select id from storage.objects where bucket_id = ${bucket} limit ${limit})
    returning version`)
}

/** Runs as the service: content is an orphan only when no row at all names it. */
export async function findKnownVersions(db: ServiceDb, versions: readonly string[]): Promise<Set<string>> {
  const rows = await db.rows<{ version: string }>(sql`
    select version from storage.objects where version = any(${versions})
    union select version from private.video_files where version = any(${versions})`)
  return new Set(rows.map(({ version }) => version))
}
