import { deleteBucket, findBucketLimits, insertBucket, listBuckets } from '../bucket-queries.ts'
import { storageErrors } from '../errors.ts'
import { listPage, type PageEntry, readCursor, writeCursor } from '../list-page.ts'
import { requireBucketName } from '../object-key.ts'
import { findObjects } from '../object-queries.ts'
import { removeObjects } from '../remove-objects.ts'
import { integer, moment, type Operation, receiveXml, type S3Request, sendXml } from './operation.ts'
import { s3Errors } from './s3-errors.ts'

const owner = { ID: 'ovation', DisplayName: 'ovation' }

export const listAllBuckets: Operation = async (s3) => {
  const buckets = await listBuckets(s3.db, {
    limit: 1000,
    offset: 0,
    search: '',
    sortColumn: 'name',
    sortOrder: 'asc',
  })
  return sendXml(s3, 'ListAllMyBucketsResult', {
    Owner: owner,
    Buckets: { Bucket: buckets.map(({ name, created_at }) => ({ Name: name, CreationDate: moment(created_at) })) },
  })
}

export const createBucket: Operation = async ({ db, bucket, reply }) => {
  await insertBucket(db, requireBucketName(bucket), {})
  return reply.header('Location', `/${bucket}`).send()
}

export const removeBucket: Operation = async ({ parts, db, bucket, reply }) => {
  if (!(await deleteBucket(db, bucket))) throw storageErrors.noSuchBucket()
  parts.rowCache.forget(bucket)
  return reply.status(204).send()
}

/** Runs as the service: the existence of a bucket is not secret, and every tool checks it first. */
export async function requireBucket({ parts, bucket }: S3Request) {
  const limits = await findBucketLimits(parts.database.service, bucket)
  if (!limits) throw storageErrors.noSuchBucket()
  return limits
}

export const headBucket: Operation = async (s3) => {
  await requireBucket(s3)
  return s3.reply.send()
}

export const getBucketLocation: Operation = async (s3) => {
  await requireBucket(s3)
  return sendXml(s3, 'LocationConstraint', {})
}

export const getBucketVersioning: Operation = async (s3) => {
  await requireBucket(s3)
  return sendXml(s3, 'VersioningConfiguration', {})
}

export const listObjectsV2: Operation = async (s3) => {
  const token = s3.query.get('continuation-token')
  const startAfter = s3.query.get('start-after') ?? ''
  const { page, content, encode } = await list(s3, token ? readCursor(token).name : startAfter)
  return sendXml(s3, 'ListBucketResult', {
    ...content,
    KeyCount: page.entries.length,
    ContinuationToken: token ?? undefined,
    StartAfter: encode(startAfter) || undefined,
    NextContinuationToken: page.next && writeCursor(page.next),
  })
}

export const listObjectsV1: Operation = async (s3) => {
  const marker = s3.query.get('marker') ?? ''
  const { page, content, encode } = await list(s3, marker)
  return sendXml(s3, 'ListBucketResult', {
    ...content,
    Marker: encode(marker),
    NextMarker: page.next && encode(page.next.name),
  })
}

async function list(s3: S3Request, after: string) {
  await requireBucket(s3)
  const { query, bucket } = s3
  const prefix = query.get('prefix') ?? ''
  const delimiter = query.get('delimiter') ?? ''
  if (delimiter !== '' && delimiter !== '/') throw s3Errors.notImplemented('a delimiter other than /')
  const limit = integer(s3, 'max-keys', 1000, 1000)
  const page =
    limit === 0
      ? { entries: [], next: undefined }
      : await listPage(s3.db, bucket, {
          prefix,
          limit,
          delimited: delimiter !== '',
          sortBy: { column: 'name', order: 'asc' },
          cursor: after === '' ? undefined : { name: after },
        })
  const encode =
    query.get('encoding-type') === 'url' ? (name: string) => encodeURIComponent(name).replaceAll('%2F', '/') : String
  const content = {
    Name: bucket,
    Prefix: encode(prefix),
    Delimiter: delimiter || undefined,
    MaxKeys: limit,
    EncodingType: query.get('encoding-type') ?? undefined,
    IsTruncated: page.next !== undefined,
    Contents: page.entries.filter(({ id }) => id !== null).map((entry) => describe(entry, encode)),
    CommonPrefixes: page.entries.filter(({ id }) => id === null).map(({ name }) => ({ Prefix: encode(name) })),
  }
  return { page, content, encode }
}

function describe({ name, updated_at, metadata }: PageEntry, encode: (name: string) => string) {
  return {
    Key: encode(name),
    LastModified: moment(metadata?.lastModified ?? updated_at),
    ETag: metadata?.eTag ?? '',
    Size: metadata?.size ?? 0,
    StorageClass: 'STANDARD',
  }
}

/** Deletes many at once. A missing object counts as deleted; an object that the caller sees but may not delete is an error. */
export const deleteObjects: Operation = async (s3) => {
  await requireBucket(s3)
  const { Object: entries = [], Quiet } = (await receiveXml(s3, 'Delete')) as {
    Object?: { Key?: unknown }[]
    Quiet?: string
  }
  const names = entries.map(({ Key }) => String(Key ?? ''))
  if (names.length === 0 || names.length > 1000 || names.includes('')) throw s3Errors.malformedXml()
  await removeObjects(s3.db, s3.parts, s3.bucket, names)
  const left = new Set((await findObjects(s3.db, s3.bucket, names)).map(({ name }) => name))
  return sendXml(s3, 'DeleteResult', {
    Deleted: Quiet === 'true' ? [] : names.filter((name) => !left.has(name)).map((Key) => ({ Key })),
    Error: [...left].map((Key) => ({ Key, Code: 'AccessDenied', Message: 'Access Denied' })),
  })
}
