import { createHash, type Hash, randomUUID } from 'node:crypto'
import type { Caller } from '../../postgres/caller.ts'
import { findBucketLimits } from '../bucket-queries.ts'
import { hashed } from '../byte-stream.ts'
import { storageErrors } from '../errors.ts'
import { maxObjectBytes } from '../max-object-bytes.ts'
import { insertObject, upsertObject } from '../object-queries.ts'
import type { StoredContent, StoredPart } from '../object-store.ts'
import { headBytes, requireContentType } from '../require-content-type.ts'
import type { StorageParts } from '../storage-parts.ts'
import type { UploadLink } from '../upload-link.ts'
import {
  cleansMovie,
  cleansPicture,
  cleansVoice,
  contentHash,
  describeContent,
  keepPicture,
  keepVoice,
  withHash,
} from '../upload-object.ts'
import { cleanMovie } from '../video/clean-movie.ts'
import { writeRow } from '../write-row.ts'
import { setUploadVersion, type Upload } from './upload-queries.ts'

type Parts = Pick<StorageParts, 'database' | 'store' | 'scratch' | 'pictureQueues' | 'voices' | 'videos' | 'rowCache'>

/**
 * Makes an object of an upload, as the caller: writing the row checks their permission again. The content is inspected like that of
 * any other upload. The parts stay until the row is written, so that this can be repeated after a crash.
 * @returns id and ETag of the object.
 * @throws as `uploadObject`.
 */
export async function finishUpload(
  parts: Parts,
  caller: Caller,
  upload: Upload,
  stored: readonly StoredPart[],
  link?: UploadLink,
) {
  const { database } = parts
  const bucket = await findBucketLimits(database.service, upload.bucket)
  if (!bucket) throw storageErrors.noSuchBucket()
  const head = await Array.fromAsync(parts.store.readParts(beginningOf(stored, headBytes)))
  const type = await requireContentType(Buffer.concat(head), upload.contentType, bucket)
  if (totalBytes(stored) > maxObjectBytes(bucket, type)) throw storageErrors.tooLarge()

  const version = randomUUID()
  await setUploadVersion(database.service, upload.id, version)
  const hash = contentHash(bucket)
  const content = hashed(parts.store.readParts(stored), hash)
  const owner = upload.owner ?? undefined
  const metadata = cleansPicture(bucket, type)
    ? await keepPicture(parts, version, content, upload.cacheControl, type, owner)
    : cleansVoice(bucket, type)
      ? await keepVoice(parts, version, content, upload.cacheControl, owner)
      : describeContent(
          upload,
          type,
          cleansMovie(bucket, type)
            ? await parts.store.write(version, cleanMovie(content))
            : await assemble(parts, version, stored, hash),
        )
  const object = {
    bucket: upload.bucket,
    name: upload.name,
    owner,
    version,
    metadata,
    userMetadata: withHash(upload.userMetadata, hash),
  }
  const row = upload.upsert ? upsertObject(object) : insertObject(object)
  const { id } = await writeRow(parts, caller, upload, version, row, link)
  if (metadata.mimetype.startsWith('video/')) await parts.videos.notice()
  return { id, eTag: metadata.eTag }
}

export function totalBytes(parts: readonly StoredPart[]): number {
  return parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

/** Parts are put together without being read; a hash needs their bytes. */
async function assemble(
  { store }: Parts,
  version: string,
  stored: readonly StoredPart[],
  hash: Hash | undefined,
): Promise<StoredContent> {
  await store.assemble(version, stored)
  if (hash) for await (const chunk of store.readParts(stored)) hash.update(chunk)
  return { sizeBytes: totalBytes(stored), md5: combinedHash(stored) }
}

/** S3's ETag of a multipart upload: the hash of the parts' hashes, and the number of parts. */
function combinedHash(parts: readonly StoredPart[]): string {
  const hash = createHash('md5')
  for (const { md5 } of parts) hash.update(Buffer.from(md5, 'hex'))
  return `${hash.digest('hex')}-${parts.length}`
}

function beginningOf(parts: readonly StoredPart[], sizeBytes: number): StoredPart[] {
  let left = sizeBytes
  return parts.map((part) => {
    const taken = Math.min(left, part.sizeBytes)
    left -= taken
    return { ...part, sizeBytes: taken }
  })
}
