import type { FastifyPluginAsync } from 'fastify'
import { requireObjectKey } from '../object-key.ts'
import type { StorageParts } from '../storage-parts.ts'
import { copyObject, transferObject } from '../transfer-object.ts'

const text = { type: 'string', minLength: 1, maxLength: 1024 } as const
const schema = {
  body: {
    type: 'object',
    required: ['bucketId', 'sourceKey', 'destinationKey'],
    properties: { bucketId: text, sourceKey: text, destinationKey: text, destinationBucket: text },
  },
} as const

type Body = { bucketId: string; sourceKey: string; destinationKey: string; destinationBucket?: string }

/** `POST /storage/v1/object/move` (API-STO-12) and `POST /storage/v1/object/copy` (API-STO-13). */
export const transferObjectRoutes: FastifyPluginAsync<{ parts: StorageParts }> = async (app, { parts }) => {
  app.post<{ Body: Body }>('/object/move', { schema }, async ({ body, caller }) => {
    const { from, to } = places(body)
    const { id } = await transferObject(parts, caller, from, to)
    return { message: 'Successfully moved', Id: id, Key: `${to.bucket}/${to.name}` }
  })
  app.post<{ Body: Body }>('/object/copy', { schema }, async ({ body, caller, headers }) => {
    const { from, to } = places(body)
    const { id } = await copyObject(parts, caller, from, to, { upsert: headers['x-upsert'] === 'true' })
    return { Id: id, Key: `${to.bucket}/${to.name}` }
  })
}

function places({ bucketId, sourceKey, destinationKey, destinationBucket }: Body) {
  return {
    from: { bucket: bucketId, name: sourceKey },
    to: { bucket: destinationBucket ?? bucketId, name: requireObjectKey(destinationKey) },
  }
}
