import type { FastifyPluginAsync, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { findBucketLimits } from '../bucket-queries.ts'
import { storageErrors } from '../errors.ts'
import { findObject, type ObjectRow } from '../object-queries.ts'
import { requireObject } from '../require-version.ts'
import type { StorageParts } from '../storage-parts.ts'
import { type ObjectPath, objectPathSchema } from './object-path.ts'

type Info = { Params: ObjectPath; Querystring: { versionId?: string } }

/** `GET` and `HEAD /storage/v1/object/info/…`: the facts of an object, without its bytes (API-STO-16). */
export const objectInfoRoutes: FastifyPluginAsync<{ parts: StorageParts }> = async (app, { parts: { database } }) => {
  const method: HTTPMethods[] = ['GET', 'HEAD']
  const schema = {
    params: objectPathSchema,
    querystring: { type: 'object', properties: { versionId: { type: 'string', maxLength: 100 } } },
  } as const

  async function answer(db: CallerDb, { params, query }: FastifyRequest<Info>, reply: FastifyReply) {
    const object = requireObject(await findObject(db, params.bucket, params['*']), query.versionId)
    reply.headers({ 'Cache-Control': 'no-store', ...(object.metadata && { ETag: object.metadata.eTag }) })
    return describe(object)
  }
  const asCaller = (request: FastifyRequest<Info>, reply: FastifyReply) => answer(request.db, request, reply)

  app.route<Info>({ method, url: '/object/info/:bucket/*', schema, handler: asCaller })
  app.route<Info>({ method, url: '/object/info/authenticated/:bucket/*', schema, handler: asCaller })
  app.route<Info>({
    method,
    url: '/object/info/public/:bucket/*',
    schema,
    async handler(request, reply) {
      const limits = await findBucketLimits(database.service, request.params.bucket)
      if (!limits?.public) throw storageErrors.noSuchBucket()
      return answer(database.service, request, reply)
    },
  })
}

/** storage-api's shape (supabase/storage `src/storage/renderer/info.ts`). */
function describe({ metadata, ...object }: ObjectRow) {
  return {
    id: object.id,
    name: object.name,
    version: object.version,
    bucket_id: object.bucket_id,
    size: metadata?.size ?? null,
    content_type: metadata?.mimetype ?? null,
    cache_control: metadata?.cacheControl ?? null,
    etag: metadata?.eTag ?? null,
    metadata: object.user_metadata ?? {},
    last_modified: object.updated_at,
    created_at: object.created_at,
  }
}
