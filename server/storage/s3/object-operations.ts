import { objectCacheSeconds } from '@ovation/contract/limits'
import { storageErrors } from '../errors.ts'
import { parseContentEncoding, requireCacheControl } from '../incoming-file.ts'
import { requireObjectKey } from '../object-key.ts'
import { findObject, type ObjectRow, type Place } from '../object-queries.ts'
import { refuse, removeObjects } from '../remove-objects.ts'
import { sendObject } from '../send-object.ts'
import { copyObject } from '../transfer-object.ts'
import { uploadObject } from '../upload-object.ts'
import { requireBucket } from './bucket-operations.ts'
import { header, moment, type Operation, type S3Request, sendXml, userMetadata } from './operation.ts'
import { s3Errors } from './s3-errors.ts'

const defaultCacheControl = `max-age=${objectCacheSeconds}`

/** GET and HEAD. */
export const getObject: Operation = async (s3) => {
  const { parts, query, request, reply } = s3
  const object = await requireReadable(s3)
  requirePreconditions(s3, object)
  for (const [name, value] of Object.entries(object.user_metadata ?? {})) {
    const isHeader = typeof value === 'string' && /^[\w-]+$/.test(name) && /^[\t -~]*$/.test(value)
    if (isHeader) reply.header(`x-amz-meta-${name}`, value)
  }
  const disposition = query.get('response-content-disposition')
  const filename = disposition && /filename="?([^";]*)"?/.exec(disposition)?.[1]
  return sendObject(request, reply, parts.store, object, {
    // As stored: the request is signed, and shared caches don't store answers to signed requests (RFC 9111, section 3.5).
    cacheControl: object.metadata?.cacheControl ?? 'no-cache',
    ...(disposition?.startsWith('attachment') && { download: filename ?? '' }),
  })
}

/** This product has no tags, so every object has an empty list. */
export const getObjectTagging: Operation = async (s3) => {
  await requireReadable(s3)
  return sendXml(s3, 'Tagging', { TagSet: '' })
}

/** The attributes in `x-amz-object-attributes`, as far as they are known. */
export const getObjectAttributes: Operation = async (s3) => {
  const { metadata, updated_at } = await requireReadable(s3)
  const wanted = new Set((header(s3, 'x-amz-object-attributes') ?? '').split(',').map((name) => name.trim()))
  if (wanted.has('')) throw s3Errors.invalidArgument('x-amz-object-attributes must name at least one attribute')
  s3.reply.header('Last-Modified', new Date(metadata?.lastModified ?? updated_at).toUTCString())
  return sendXml(s3, 'GetObjectAttributesResponse', {
    ETag: wanted.has('ETag') ? metadata?.eTag.replaceAll('"', '') : undefined,
    StorageClass: wanted.has('StorageClass') ? 'STANDARD' : undefined,
    ObjectSize: wanted.has('ObjectSize') ? metadata?.size : undefined,
  })
}

async function requireReadable(s3: S3Request): Promise<ObjectRow> {
  await requireBucket(s3)
  const object = await findObject(s3.db, s3.bucket, s3.key)
  if (!object) throw storageErrors.noSuchKey()
  return object
}

export const putObject: Operation = async (s3) => {
  const { parts, bucket, caller, uploader, body, sizeBytes, reply } = s3
  const target = {
    bucket,
    name: requireObjectKey(s3.key),
    owner: uploader.owner,
    upsert: header(s3, 'if-none-match') !== '*',
  }
  const { eTag } = await uploadObject(parts, caller, target, async () => ({
    body,
    declaredType: contentType(s3),
    cacheControl: cacheControl(s3) ?? defaultCacheControl,
    contentEncoding: contentEncoding(s3),
    userMetadata: userMetadata(s3),
    declaredSizeBytes: sizeBytes,
  }))
  return reply.header('ETag', eTag).send()
}

/** `REPLACE` drops all metadata of the source, as if the copy had been put. */
export const copyToObject: Operation = async (s3) => {
  const replaces = header(s3, 'x-amz-metadata-directive') === 'REPLACE'
  const to = { bucket: s3.bucket, name: requireObjectKey(s3.key) }
  const { metadata } = await copyObject(s3.parts, s3.caller, readCopySource(s3), to, {
    upsert: true,
    changes: replaces
      ? {
          mimetype: contentType(s3),
          cacheControl: cacheControl(s3) ?? defaultCacheControl,
          contentEncoding: contentEncoding(s3) ?? null,
          userMetadata: userMetadata(s3),
        }
      : {},
  })
  return sendXml(s3, 'CopyObjectResult', { LastModified: moment(metadata?.lastModified), ETag: metadata?.eTag ?? '' })
}

/** A missing object counts as deleted. */
export const deleteObject: Operation = async (s3) => {
  await requireBucket(s3)
  const removed = await removeObjects(s3.db, s3.parts, s3.bucket, [s3.key])
  if (removed.length === 0 && (await findObject(s3.db, s3.bucket, s3.key))) await refuse(s3.db, s3.bucket, s3.key)
  return s3.reply.status(204).send()
}

/** `x-amz-copy-source`: `/bucket/key`, escaped. @throws InvalidArgument (400). */
export function readCopySource(s3: S3Request): Place {
  const [path = '', query = ''] = (header(s3, 'x-amz-copy-source') ?? '').split('?')
  try {
    const [bucket = '', ...name] = decodeURIComponent(path).replace(/^\//, '').split('/')
    if (bucket !== '' && name.length > 0 && query === '') return { bucket, name: name.join('/') }
  } catch {
    // Answered below.
  }
  throw s3Errors.invalidArgument('Copy Source must mention the source bucket and key: sourcebucket/sourcekey')
}

export function contentType(s3: S3Request): string {
  return header(s3, 'content-type') ?? 'binary/octet-stream'
}

export function cacheControl(s3: S3Request): string | undefined {
  const value = header(s3, 'cache-control')
  return value && requireCacheControl(value)
}

/** `aws-chunked` only describes the transfer, so it isn't stored. */
export function contentEncoding(s3: S3Request): string | undefined {
  const codings = header(s3, 'content-encoding')
    ?.split(',')
    .map((coding) => coding.trim())
  return parseContentEncoding(codings?.filter((coding) => coding !== 'aws-chunked').join())
}

/** `sendObject` answers If-None-Match and If-Modified-Since with 304. */
function requirePreconditions(s3: S3Request, { metadata, updated_at }: ObjectRow) {
  const match = header(s3, 'if-match')
  if (match && match !== '*' && !match.split(',').some((tag) => tag.trim() === metadata?.eTag))
    throw s3Errors.preconditionFailed()
  const since = Date.parse(header(s3, 'if-unmodified-since') ?? '')
  const changedAt = Math.floor(new Date(metadata?.lastModified ?? updated_at).getTime() / 1000) * 1000
  if (!match && changedAt > since) throw s3Errors.preconditionFailed()
}
