import { randomUUID } from 'node:crypto'
import type { Caller } from '../postgres/caller.ts'
import { type BucketLimits, findBucketLimits } from './bucket-queries.ts'
import { storageErrors } from './errors.ts'
import { maxObjectBytes } from './max-object-bytes.ts'
import { isAllowedType, isMediaOnly } from './mime.ts'
import {
  findObject,
  insertObject,
  moveObject,
  type ObjectMetadata,
  type ObjectRow,
  type Place,
  upsertObject,
} from './object-queries.ts'
import { ownerOf } from './owner-of.ts'
import { refuse } from './remove-objects.ts'
import { keyOf } from './row-cache.ts'
import type { StorageParts } from './storage-parts.ts'
import { writeRow } from './write-row.ts'

type Parts = Pick<StorageParts, 'database' | 'store' | 'rowCache' | 'videos' | 'quota'>

/** Gives an object another path. @throws NoSuchKey, AccessDenied, KeyAlreadyExists, and the other bucket's rejections. */
export async function transferObject({ database, rowCache }: Parts, caller: Caller, from: Place, to: Place) {
  const db = database.as(caller)
  const object = await findObject(db, from.bucket, from.name)
  if (!object) throw storageErrors.noSuchKey()
  requireRoom(await findTarget(database, to), object)
  const moved = await moveObject(db, from, to)
  rowCache.forget(keyOf(from))
  return moved ?? refuse(db, from.bucket, from.name)
}

/** Metadata of a copy that replaces the original's. */
export type CopyChanges = {
  readonly cacheControl?: string | undefined
  readonly mimetype?: string | undefined
  /** `null`: none. */
  readonly contentEncoding?: string | null
  readonly userMetadata?: Record<string, unknown> | null
}

/** A second object with the same content, the caller's own. @throws as `transferObject`. */
export async function copyObject(
  parts: Parts,
  caller: Caller,
  from: Place,
  to: Place,
  { upsert, changes = {} }: { upsert: boolean; changes?: CopyChanges },
) {
  const { database, store } = parts
  const db = database.as(caller)
  const object = await findObject(db, from.bucket, from.name)
  if (!object) throw storageErrors.noSuchKey()
  if (object.mark) throw storageErrors.accessDenied("You can't access the original of this image") // a copy would be one
  const target = await findTarget(database, to)
  const metadata = object.metadata && {
    ...withoutStreams(object.metadata),
    ...(changes.cacheControl && { cacheControl: changes.cacheControl }),
    // Where the content decides, the stored type is already verified.
    ...(changes.mimetype && !isMediaOnly(target.allowed_mime_types) && { mimetype: changes.mimetype }),
    ...(changes.contentEncoding !== undefined && { contentEncoding: changes.contentEncoding ?? undefined }),
    lastModified: new Date().toISOString(),
  }
  requireRoom(target, { metadata })
  const isVideo = metadata?.mimetype.startsWith('video/') === true
  if (isVideo) await parts.quota.requireVideoPlace(ownerOf(caller))
  const room = await parts.quota.take(ownerOf(caller), metadata?.size)
  try {
    const version = randomUUID()
    await store.copy(object.version, version)
    const userMetadata = changes.userMetadata === undefined ? object.user_metadata : changes.userMetadata
    const copy = { ...to, owner: ownerOf(caller), version, metadata, userMetadata }
    const { id } = await writeRow(parts, caller, to, version, upsert ? upsertObject(copy) : insertObject(copy))
    if (isVideo) await parts.videos.notice()
    return { id, metadata }
  } finally {
    room.release()
  }
}

/** Streams are made for each object: a copy has none yet. */
function withoutStreams({ stream: _ofTheFirst, ...metadata }: ObjectMetadata): ObjectMetadata {
  return metadata
}

async function findTarget(database: Parts['database'], { bucket }: Place): Promise<BucketLimits> {
  const found = await findBucketLimits(database.service, bucket)
  if (!found) throw storageErrors.noSuchBucket()
  return found
}

/** The other bucket's limits apply, so that a move can't bypass them. */
function requireRoom(bucket: BucketLimits, { metadata }: Pick<ObjectRow, 'metadata'>) {
  const type = metadata?.mimetype ?? 'application/octet-stream'
  if (!isAllowedType(type, bucket.allowed_mime_types)) throw storageErrors.invalidMimeType(type)
  if ((metadata?.size ?? 0) > maxObjectBytes(bucket, type)) throw storageErrors.tooLarge()
}
