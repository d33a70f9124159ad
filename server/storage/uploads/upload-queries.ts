import type { CallerDb, ServiceDb } from '../../postgres/caller-db.ts'
import { fragment, sql } from '../../postgres/sql.ts'
import type { StoredPart } from '../object-store.ts'

// Everything runs as the service: no other role can access private.uploads. The callers check permissions on storage.objects.

/** Who began an upload. Only they go on with it. */
export type Uploader = { readonly role: string; readonly owner: string | undefined }

export type NewUpload = {
  readonly protocol: 'tus' | 's3'
  readonly bucket: string
  readonly name: string
  readonly uploader: Uploader
  readonly upsert: boolean
  readonly sizeBytes: number | undefined
  readonly contentType: string
  readonly cacheControl: string
  readonly contentEncoding?: string | undefined
  readonly userMetadata: Record<string, unknown> | null
  readonly tusMetadata?: string | undefined
  readonly tusConcat?: string | undefined
}

export type Upload = {
  readonly id: string
  readonly bucket: string
  readonly name: string
  readonly role: string
  readonly owner: string | null
  readonly upsert: boolean
  readonly sizeBytes: number | null
  readonly contentType: string
  readonly cacheControl: string
  readonly contentEncoding: string | null
  readonly userMetadata: Record<string, unknown> | null
  readonly tusMetadata: string | null
  readonly tusConcat: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
  /** Whether its object exists. */
  readonly finished: boolean
}

export type UploadPart = StoredPart & { readonly number: number; readonly createdAt: Date }

const columns = fragment`u.id, u.bucket_id as bucket, u.name, u.role, u.owner, u.upsert, u.size_bytes::float8 as "sizeBytes",
  u.content_type as "contentType", u.cache_control as "cacheControl",
  u.content_encoding as "contentEncoding", u.user_metadata as "userMetadata", u.tus_metadata as "tusMetadata", u.tus_concat as "tusConcat", u.created_at as "createdAt", u.expires_at as "expiresAt",
  u.version is not null and exists (select from storage.objects o where o.version = u.version::text) as finished`

export async function insertUpload(db: CallerDb, upload: NewUpload, expiresAt: Date): Promise<Upload> {
  const { uploader } = upload
  const [inserted] = await db.rows<Upload>(sql`
    insert into private.uploads as u (protocol, bucket_id, name, role, owner, upsert, size_bytes, content_type, cache_control,
      content_encoding, user_metadata, tus_metadata, tus_concat, expires_at)
    values (${upload.protocol}, ${upload.bucket}, ${upload.name}, ${uploader.role}, ${uploader.owner ?? null}, ${upload.upsert},
      ${upload.sizeBytes ?? null}, ${upload.contentType}, ${upload.cacheControl},
      ${upload.contentEncoding ?? null}, ${upload.userMetadata}, ${upload.tusMetadata ?? null}, ${upload.tusConcat ?? null}, ${expiresAt})
    returning ${columns}`)
  if (!inserted) throw new Error('an insert returned no row')
  return inserted
}

/** @param id from a URL: text that isn't a UUID names no upload. */
export async function findUpload(
  db: ServiceDb,
  protocol: NewUpload['protocol'],
  id: string,
): Promise<Upload | undefined> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return undefined
  const [upload] = await db.rows<Upload>(sql`
    select ${columns} from private.uploads u where u.id = ${id} and u.protocol = ${protocol} and u.expires_at > now()`)
  return upload
}

export function findParts(db: ServiceDb, id: string): Promise<UploadPart[]> {
  return db.rows<UploadPart>(sql`
    select number, file, start::float8 as start, size_bytes::float8 as "sizeBytes", md5, created_at as "createdAt"
    from private.upload_parts where upload_id = ${id} order by number`)
}

/** @returns the part that had this number before, whose bytes are now unused. A foreign key violation: the upload is gone. */
export async function putPart(
  db: ServiceDb,
  id: string,
  number: number,
  part: StoredPart,
): Promise<string | undefined> {
  const [written] = await db.rows<{ replaced: string | null }>(sql`
    with previous as materialized (
      select file from private.upload_parts where upload_id = ${id} and number = ${number}::int for update
    )
    insert into private.upload_parts (upload_id, number, file, start, size_bytes, md5)
    values (${id}, ${number}, ${part.file}, ${part.start}, ${part.sizeBytes}, ${part.md5})
    on conflict (upload_id, number) do update set
      file = excluded.file, start = excluded.start, size_bytes = excluded.size_bytes, md5 = excluded.md5, created_at = now()
    returning (select file from previous) as replaced`)
  return written?.replaced ?? undefined
}

/** Like `putPart`, for consecutive parts: a number that is taken is a unique violation. */
export async function appendParts(db: ServiceDb, id: string, firstNumber: number, parts: readonly StoredPart[]) {
  await db.rows(sql`
    insert into private.upload_parts (upload_id, number, file, start, size_bytes, md5)
    select ${id}, ${firstNumber}::int + ordinality - 1, file, start, size, md5
    from unnest(${parts.map(({ file }) => file)}::uuid[], ${parts.map(({ start }) => start)}::bigint[],
      ${parts.map(({ sizeBytes }) => sizeBytes)}::bigint[], ${parts.map(({ md5 }) => md5)}::text[])
      with ordinality as part (file, start, size, md5, ordinality)`)
}

export async function setUploadSize(db: ServiceDb, id: string, sizeBytes: number): Promise<void> {
  await db.rows(sql`update private.uploads set size_bytes = ${sizeBytes} where id = ${id} and size_bytes is null`)
}

/** Sets the version that the upload's content will be stored under. Once its row exists, the upload counts as finished. */
export async function setUploadVersion(db: ServiceDb, id: string, version: string): Promise<void> {
  await db.rows(sql`update private.uploads set version = ${version} where id = ${id}`)
}

/** @returns the files of its parts, for the store to remove. */
export async function deleteParts(db: ServiceDb, id: string): Promise<string[]> {
  const rows = await db.rows<{ file: string }>(sql`
    delete from private.upload_parts where upload_id = ${id} returning file`)
  return [...new Set(rows.map(({ file }) => file))]
}

/** @returns as `deleteParts`. */
export async function deleteUpload(db: ServiceDb, id: string): Promise<string[]> {
  const rows = await db.rows<{ file: string }>(sql`
    with gone as (delete from private.uploads where id = ${id} returning id)
    select distinct file from private.upload_parts where upload_id in (select id from gone)`)
  return rows.map(({ file }) => file)
}

/** @returns as `deleteParts`. */
export async function deleteExpiredUploads(db: ServiceDb, now: Date): Promise<string[]> {
  const rows = await db.rows<{ file: string }>(sql`
    with gone as (delete from private.uploads where expires_at < ${now} returning id)
    select distinct file from private.upload_parts where upload_id in (select id from gone)`)
  return rows.map(({ file }) => file)
}

/** Once a link has expired, it is rejected anyway, so its use needs no record. */
export async function deleteExpiredLinks(db: ServiceDb, now: Date): Promise<void> {
  await db.rows(sql`delete from private.used_upload_links where expires_at < ${now}`)
}

export async function findKnownPartFiles(db: ServiceDb, files: readonly string[]): Promise<Set<string>> {
  const rows = await db.rows<{ file: string }>(
    sql`select distinct file from private.upload_parts where file = any(${files}::uuid[])`,
  )
  return new Set(rows.map(({ file }) => file))
}

/** Unfinished uploads below a prefix, in the order of S3's ListMultipartUploads. */
export function listUploads(
  db: ServiceDb,
  uploader: Uploader,
  page: { bucket: string; prefix: string; afterName: string; afterId: string | undefined; limit: number },
): Promise<Upload[]> {
  return db.rows<Upload>(sql`
    select ${columns} from private.uploads u
    where u.protocol = 's3' and u.bucket_id = ${page.bucket} and u.role = ${uploader.role}
      and u.owner is not distinct from ${uploader.owner ?? null}::uuid and u.expires_at > now()
      and starts_with(u.name, ${page.prefix})
      and not exists (select from storage.objects o where o.version = u.version::text)
      and (u.name collate "C" > ${page.afterName} or (u.name = ${page.afterName} and u.id > ${page.afterId ?? null}::uuid))
    order by u.name collate "C", u.id limit ${page.limit}`)
}
