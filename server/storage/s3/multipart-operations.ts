import { objectCacheSeconds } from '@ovation/contract/limits'
import { parseRange } from '../byte-range.ts'
import { chunksOf, limitSize, paced } from '../byte-stream.ts'
import { storageErrors } from '../errors.ts'
import { maxObjectBytes } from '../max-object-bytes.ts'
import { isAllowedType } from '../mime.ts'
import { requireObjectKey } from '../object-key.ts'
import { findObject } from '../object-queries.ts'
import { requireRightToUpload } from '../upload-object.ts'
import { discardRefused, discardUpload, removeFiles } from '../uploads/discard-upload.ts'
import { finishUpload, totalBytes } from '../uploads/finish-upload.ts'
import {
  deleteParts,
  findParts,
  findUpload,
  insertUpload,
  listUploads,
  putPart,
  type Upload,
  type UploadPart,
} from '../uploads/upload-queries.ts'
import { requireBucket } from './bucket-operations.ts'
import { cacheControl, contentEncoding, contentType, readCopySource } from './object-operations.ts'
import {
  header,
  integer,
  moment,
  type Operation,
  receiveXml,
  type S3Request,
  sendXml,
  userMetadata,
} from './operation.ts'
import { s3Errors } from './s3-errors.ts'

/** An upload that isn't finished within a week is deleted. */
const lifetimeMs = 7 * 24 * 3600 * 1000
const mostParts = 10_000

export const createMultipartUpload: Operation = async (s3) => {
  const { parts, bucket, caller, uploader } = s3
  const name = requireObjectKey(s3.key)
  const limits = await requireBucket(s3)
  const type = contentType(s3)
  if (!isAllowedType(type, limits.allowed_mime_types)) throw storageErrors.invalidMimeType(type)
  await requireRightToUpload(parts.database, caller, { bucket, name, owner: uploader.owner, upsert: true })
  if (type.startsWith('video/')) await parts.quota.requireVideoPlace(uploader.owner)
  const { id } = await parts.quota.openUpload(uploader.owner, undefined, (db) =>
    insertUpload(
      db,
      {
        protocol: 's3',
        bucket,
        name,
        uploader,
        upsert: true,
        sizeBytes: undefined,
        contentType: type,
        cacheControl: cacheControl(s3) ?? `max-age=${objectCacheSeconds}`,
        contentEncoding: contentEncoding(s3),
        userMetadata: userMetadata(s3),
      },
      new Date(Date.now() + lifetimeMs),
    ),
  )
  return sendXml(s3, 'InitiateMultipartUploadResult', { Bucket: bucket, Key: name, UploadId: id })
}

export const uploadPart: Operation = async (s3) => {
  const part = await keepPart(s3, paced(chunksOf(s3.body), s3.parts.pace), s3.sizeBytes)
  return s3.reply.header('ETag', `"${part.md5}"`).send()
}

export const uploadPartCopy: Operation = async (s3) => {
  const { bucket, name } = readCopySource(s3)
  const object = await findObject(s3.db, bucket, name)
  if (!object?.metadata) throw storageErrors.noSuchKey()
  if (object.mark) throw storageErrors.accessDenied("You can't access the original of this image") // a copy would be one
  const range = parseRange(header(s3, 'x-amz-copy-source-range'), object.metadata.size)
  const content = await s3.parts.store.read(object.version, range)
  const part = await keepPart(s3, content, range ? range.end - range.start + 1 : object.metadata.size)
  return sendXml(s3, 'CopyPartResult', { LastModified: moment(new Date()), ETag: `"${part.md5}"` })
}

async function keepPart(s3: S3Request, content: AsyncIterable<Uint8Array>, sizeBytes: number | undefined) {
  const { parts } = s3
  const upload = await openUpload(s3)
  const number = integer(s3, 'partNumber', 0, Number.MAX_SAFE_INTEGER)
  if (number < 1 || number > mostParts) throw s3Errors.invalidArgument(`partNumber must lie between 1 and ${mostParts}`)
  const most = maxObjectBytes(await requireBucket(s3), upload.contentType)
  if ((sizeBytes ?? 0) > most) throw storageErrors.tooLarge()
  const room = await parts.quota.take(s3.uploader.owner, sizeBytes)
  try {
    const part = await parts.store.writePart(room.limit(limitSize(content, most)))
    const replaced = await putPart(parts.database.service, upload.id, number, part).catch(async (error: unknown) => {
      await parts.store.removePart(part.file) // the upload was deleted in the meantime
      throw error
    })
    if (replaced) await parts.store.removePart(replaced)
    return part
  } finally {
    room.release()
  }
}

export const listParts: Operation = async (s3) => {
  const upload = await openUpload(s3)
  const limit = integer(s3, 'max-parts', 1000, 1000)
  const marker = integer(s3, 'part-number-marker', 0, mostParts)
  const rest = (await findParts(s3.parts.database.service, upload.id)).filter(({ number }) => number > marker)
  const page = rest.slice(0, limit)
  return sendXml(s3, 'ListPartsResult', {
    Bucket: s3.bucket,
    Key: s3.key,
    UploadId: upload.id,
    PartNumberMarker: marker,
    NextPartNumberMarker: page.at(-1)?.number,
    MaxParts: limit,
    IsTruncated: rest.length > page.length,
    StorageClass: 'STANDARD',
    Part: page.map(({ number, md5, sizeBytes, createdAt }) => ({
      PartNumber: number,
      LastModified: moment(createdAt),
      ETag: `"${md5}"`,
      Size: sizeBytes,
    })),
  })
}

export const listMultipartUploads: Operation = async (s3) => {
  await requireBucket(s3)
  const { query, bucket, uploader } = s3
  const limit = integer(s3, 'max-uploads', 1000, 1000)
  const found = await listUploads(s3.parts.database.service, uploader, {
    bucket,
    prefix: query.get('prefix') ?? '',
    afterName: query.get('key-marker') ?? '',
    afterId: query.get('upload-id-marker') || undefined,
    limit: limit + 1,
  })
  const page = found.slice(0, limit)
  const isTruncated = found.length > limit
  return sendXml(s3, 'ListMultipartUploadsResult', {
    Bucket: bucket,
    KeyMarker: query.get('key-marker') ?? '',
    UploadIdMarker: query.get('upload-id-marker') ?? '',
    NextKeyMarker: isTruncated ? page.at(-1)?.name : undefined,
    NextUploadIdMarker: isTruncated ? page.at(-1)?.id : undefined,
    Prefix: query.get('prefix') ?? '',
    MaxUploads: limit,
    IsTruncated: isTruncated,
    Upload: page.map(({ id, name, createdAt }) => ({
      Key: name,
      UploadId: id,
      Initiated: moment(createdAt),
      StorageClass: 'STANDARD',
    })),
  })
}

export const completeMultipartUpload: Operation = async (s3) => {
  const { parts, caller } = s3
  const wanted = readWantedParts(await receiveXml(s3, 'CompleteMultipartUpload'))
  const upload = await openUpload(s3)
  const eTag = upload.finished ? await eTagOf(s3) : await finish()

  async function finish(): Promise<string> {
    const chosen = chooseParts(wanted, await findParts(parts.database.service, upload.id))
    if (totalBytes(chosen) > maxObjectBytes(await requireBucket(s3), upload.contentType)) throw storageErrors.tooLarge()
    const { eTag } = await finishUpload(parts, caller, upload, chosen).catch((error: unknown) =>
      discardRefused(parts, upload.id, error),
    )
    await removeFiles(parts, await deleteParts(parts.database.service, upload.id))
    return eTag
  }
  return sendXml(s3, 'CompleteMultipartUploadResult', {
    Location: `/${s3.bucket}/${s3.key}`,
    Bucket: s3.bucket,
    Key: s3.key,
    ETag: eTag,
  })
}

export const abortMultipartUpload: Operation = async (s3) => {
  await discardUpload(s3.parts, (await openUpload(s3)).id)
  return s3.reply.status(204).send()
}

/** @throws NoSuchUpload (404) when the caller has no such upload. */
async function openUpload({ parts, bucket, key, query, uploader }: S3Request): Promise<Upload> {
  const upload = await findUpload(parts.database.service, 's3', query.get('uploadId') ?? '')
  const isTheirs =
    upload?.bucket === bucket &&
    upload.name === key &&
    upload.role === uploader.role &&
    (upload.owner ?? undefined) === uploader.owner
  if (!upload || !isTheirs) throw storageErrors.noSuchUpload()
  return upload
}

/** A client that lost the answer repeats the request and gets the same answer. */
async function eTagOf({ db, bucket, key }: S3Request): Promise<string> {
  const object = await findObject(db, bucket, key)
  return object?.metadata?.eTag ?? ''
}

type WantedPart = { readonly number: number; readonly md5: string }

function readWantedParts({ Part = [] }: { Part?: unknown }): WantedPart[] {
  const wanted = (Part as { PartNumber?: string; ETag?: string }[]).map(({ PartNumber, ETag }) => ({
    number: Number(PartNumber),
    md5: String(ETag ?? '')
      .trim()
      .replace(/^"|"$/g, ''),
  }))
  if (wanted.length === 0) throw s3Errors.malformedXml()
  const ascends = wanted.every(({ number }, index) => number > (wanted[index - 1]?.number ?? 0))
  if (!ascends) throw s3Errors.invalidPartOrder()
  return wanted
}

function chooseParts(wanted: readonly WantedPart[], stored: readonly UploadPart[]): UploadPart[] {
  const byNumber = new Map(stored.map((part) => [part.number, part]))
  return wanted.map(({ number, md5 }) => {
    const part = byNumber.get(number)
    if (!part || part.md5 !== md5) throw s3Errors.invalidPart()
    return part
  })
}
