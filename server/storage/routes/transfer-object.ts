import type { FastifyPluginAsync } from 'fastify'
import { readMetadataHeader, requireCacheControl } from '../incoming-file.ts'
import { requireObjectKey } from '../object-key.ts'
import { requireVersion } from '../require-version.ts'
import type { StorageParts } from '../storage-parts.ts'
import { type CopyChanges, copyObject, transferObject } from '../transfer-object.ts'

const text = { type: 'string', minLength: 1, maxLength: 1024 } as const
const schema = {
  body: {
    type: 'object',
    required: ['bucketId', 'sourceKey', 'destinationKey'],
    properties: {
      bucketId: text,
      sourceKey: text,
      destinationKey: text,
      destinationBucket: text,
      sourceVersionId: { type: 'string', maxLength: 100 },
      copyMetadata: { type: 'boolean', default: true },
      metadata: {
        type: 'object',
        properties: { cacheControl: { type: 'string' }, mimetype: { type: 'string', maxLength: 255 } },
      },
    },
  },
} as const

type Body = {
  bucketId: string
  sourceKey: string
  destinationKey: string
  destinationBucket?: string
  sourceVersionId?: string
  copyMetadata: boolean
  metadata?: { cacheControl?: string; mimetype?: string }
}

/** `POST /storage/v1/object/move` (API-STO-12) and `POST /storage/v1/object/copy` (API-STO-13). */
export const transferObjectRoutes: FastifyPluginAsync<{ parts: StorageParts }> = async (app, { parts }) => {
  app.post<{ Body: Body }>('/object/move', { schema }, async ({ body, caller, db }) => {
    const { from, to } = places(body)
    await requireVersion(db, from, body.sourceVersionId)
    const { id } = await transferObject(parts, caller, from, to)
    return { message: 'Successfully moved', Id: id, Key: `${to.bucket}/${to.name}` }
  })
  app.post<{ Body: Body }>('/object/copy', { schema }, async ({ body, caller, db, headers }) => {
    const { from, to } = places(body)
    await requireVersion(db, from, body.sourceVersionId)
    const { id } = await copyObject(parts, caller, from, to, {
      upsert: headers['x-upsert'] === 'true',
      changes: body.copyMetadata ? {} : readChanges(body.metadata, headers['x-metadata']),
    })
    return { Id: id, Key: `${to.bucket}/${to.name}` }
  })
}

/** The metadata that replaces the original's. The custom metadata comes from the header `x-metadata`, or is empty. */
function readChanges(
  { cacheControl, mimetype }: NonNullable<Body['metadata']> = {},
  encoded: string | string[] | undefined,
): CopyChanges {
  return {
    userMetadata: readMetadataHeader(encoded),
    mimetype,
    cacheControl: cacheControl && requireCacheControl(cacheControl),
  }
}

function places({ bucketId, sourceKey, destinationKey, destinationBucket }: Body) {
  return {
    from: { bucket: bucketId, name: sourceKey },
    to: { bucket: destinationBucket ?? bucketId, name: requireObjectKey(destinationKey) },
  }
}
