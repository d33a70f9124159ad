import { createHash, type Hash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { GatewayError } from '../http/errors.ts'
import type { Caller } from '../postgres/caller.ts'
import type { Database } from '../postgres/database.ts'
import { DatabaseFailure } from '../postgres/database-failure.ts'
import type { Room } from './account-quota.ts'
import { type BucketLimits, findBucketLimits } from './bucket-queries.ts'
import { chunksOf, hashed, limitSize, paced, peek } from './byte-stream.ts'
import { cleanPicture } from './clean-picture.ts'
import { storageErrors } from './errors.ts'
import type { IncomingFile } from './incoming-file.ts'
import { maxObjectBytes } from './max-object-bytes.ts'
import { bareType } from './mime.ts'
import { insertObject, type ObjectMetadata, upsertObject } from './object-queries.ts'
import type { StoredContent } from './object-store.ts'
import { headBytes, requireContentType } from './require-content-type.ts'
import type { StorageParts } from './storage-parts.ts'
import { spendUploadLink, type UploadLink } from './upload-link.ts'
import { cleanMovie, isMovie } from './video/clean-movie.ts'
import { cleanVoice } from './voice/clean-voice.ts'
import { writeRow } from './write-row.ts'

export type UploadTarget = {
  readonly bucket: string
  readonly name: string
  readonly owner: string | undefined
  /** Whether an existing object is replaced. */
  readonly upsert: boolean
  /** The link that the file comes through; it is used up with the row. */
  readonly link?: UploadLink | undefined
}

type Parts = Pick<
  StorageParts,
  'database' | 'store' | 'scratch' | 'pictureQueues' | 'voices' | 'videos' | 'rowCache' | 'quota' | 'pace'
>

/**
 * Stores a file as the caller: first the permission, then the bytes, then the row. A caller without permission is rejected before a
 * byte is read, and an upload that stops halfway leaves nothing visible.
 * @param receive called once the caller is known to have the permission.
 * @throws NoSuchBucket, AccessDenied, KeyAlreadyExists, EntityTooLarge, InvalidMimeType, InvalidRequest.
 */
export async function uploadObject(
  parts: Parts,
  caller: Caller,
  target: UploadTarget,
  receive: () => Promise<IncomingFile>,
): Promise<{ id: string; eTag: string }> {
  const { database } = parts
  const bucket = await findBucketLimits(database.service, target.bucket)
  if (!bucket) throw storageErrors.noSuchBucket()
  await requireRightToUpload(database, caller, target)

  const version = randomUUID()
  const file = await receive()
  const room = await parts.quota.take(target.owner, file.announcedBytes ?? file.declaredSizeBytes)
  try {
    const hash = contentHash(bucket)
    const metadata = await keepContent(parts, bucket, version, file, target.owner, room, hash)
    const row = write(target, version, withHash(file.userMetadata, hash), metadata)
    const { id } = await writeRow(parts, caller, target, version, row, target.link)
    if (isVideo(metadata.mimetype)) await parts.videos.notice()
    return { id, eTag: metadata.eTag }
  } catch (error) {
    // The sender hung up: the stream's own error is useless.
    const isKnown = error instanceof GatewayError || error instanceof DatabaseFailure
    const hungUp = file.body.destroyed && !file.body.readableEnded && !isKnown
    throw hungUp ? storageErrors.cutOff() : error
  } finally {
    room.release()
  }
}

/** Checks the permission by writing the row and rolling it back. @throws as the upload itself would. */
export async function requireRightToUpload(database: Database, caller: Caller, target: UploadTarget) {
  const refusal = new Error('taken back')
  const rehearsal = database.transaction(caller, async (db) => {
    await db.rows(write(target, randomUUID(), null, null))
    if (target.link) await db.rows(spendUploadLink(target.link))
    throw refusal
  })
  await rehearsal.catch((error: unknown) => {
    if (error !== refusal) throw error
  })
}

async function keepContent(
  parts: Parts,
  bucket: BucketLimits,
  version: string,
  file: IncomingFile,
  owner: string | undefined,
  room: Room,
  hash: Hash | undefined,
): Promise<ObjectMetadata> {
  if ((file.declaredSizeBytes ?? 0) > maxObjectBytes(bucket, file.declaredType)) throw storageErrors.tooLarge()
  const { head, content } = await peek(paced(chunksOf(file.body), parts.pace), headBytes)
  const type = await requireContentType(head, file.declaredType, bucket)
  if (isVideo(type)) await parts.quota.requireVideoPlace(owner)
  const allowed = limitSize(content, maxObjectBytes(bucket, type))
  const limited = hashed(room.limit(allowed), hash)
  if (cleansPicture(bucket, type)) return keepPicture(parts, version, limited, file.cacheControl, type, owner)
  if (cleansVoice(bucket, type)) return keepVoice(parts, version, limited, file.cacheControl, owner)
  const clean = cleansMovie(bucket, type) ? cleanMovie(limited) : limited
  return describeContent(file, type, await parts.store.write(version, clean))
}

const isVideo = (type: string): boolean => type.startsWith('video/')

/**
 * Other users see the pictures and videos in these buckets, so the files must not reveal where they were taken. ID images (VER) are kept
 * unchanged: reviewers judge the original.
 */
const shownToOthers = new Set(['posts', 'messages', 'vault', 'avatars', 'banners', 'covers', 'front-page'])

/** Whether a file of this type is inspected and cleaned before it is stored. */
export const cleansPicture = ({ id }: BucketLimits, type: string): boolean =>
  type.startsWith('image/') && shownToOthers.has(id)
/** Whether it is cleaned in transit. */
export const cleansMovie = ({ id }: BucketLimits, type: string): boolean => isMovie(type) && shownToOthers.has(id)

/** Whether it is encoded again. */
export const cleansVoice = ({ id }: BucketLimits, type: string): boolean =>
  bareType(type).startsWith('audio/') && shownToOthers.has(id)

/** Buckets whose content is in creators' vaults, which recognize a file that is sent again (VAULT-03). */
const keptInVaults = new Set(['posts', 'messages', 'vault'])

/** Takes in the bytes of a new object as they are sent, before they are cleaned; undefined where nothing needs their hash. */
export const contentHash = ({ id }: BucketLimits): Hash | undefined =>
  keptInVaults.has(id) ? createHash('sha256') : undefined

/** The user metadata of a new object, with the hash for the vault (`private.keep_upload`). */
export const withHash = (userMetadata: UserMetadata, hash: Hash | undefined): UserMetadata =>
  hash ? { ...userMetadata, sha256: hash.digest('hex') } : userMetadata

/** Stores a picture cleaned and measured. @throws as `cleanPicture`. */
export async function keepPicture(
  { store, scratch, pictureQueues }: Pick<Parts, 'store' | 'scratch' | 'pictureQueues'>,
  version: string,
  content: AsyncIterable<Uint8Array>,
  cacheControl: string,
  type: string,
  owner: string | undefined,
): Promise<ObjectMetadata> {
  const { kept, facts, newType } = await cleanPicture(
    content,
    join(scratch, version),
    pictureQueues.uploads,
    owner,
    (bytes) => store.write(version, bytes),
  )
  return { ...describeContent({ cacheControl }, newType ?? type, kept), ...facts }
}

/** Stores a voice message in the one format that plays everywhere. @throws as `cleanVoice`. */
export async function keepVoice(
  { store, scratch, voices }: Pick<Parts, 'store' | 'scratch' | 'voices'>,
  version: string,
  content: AsyncIterable<Uint8Array>,
  cacheControl: string,
  owner: string | undefined,
): Promise<ObjectMetadata> {
  const { kept, facts } = await cleanVoice(content, join(scratch, version), voices, owner, (bytes) =>
    store.write(version, bytes),
  )
  return { ...describeContent({ cacheControl }, 'audio/mp4', kept), ...facts }
}

/** The content facts that storage-api stores. */
export function describeContent(
  { cacheControl, contentEncoding }: { cacheControl: string; contentEncoding?: string | null | undefined },
  mimetype: string,
  { sizeBytes, md5 }: StoredContent,
): ObjectMetadata {
  return {
    eTag: `"${md5}"`,
    size: sizeBytes,
    mimetype,
    cacheControl,
    lastModified: new Date().toISOString(),
    contentLength: sizeBytes,
    httpStatusCode: 200,
    ...(contentEncoding && { contentEncoding }),
  }
}

type UserMetadata = IncomingFile['userMetadata']

function write(target: UploadTarget, version: string, userMetadata: UserMetadata, metadata: ObjectMetadata | null) {
  const object = { ...target, version, metadata, userMetadata }
  return target.upsert ? upsertObject(object) : insertObject(object)
}
