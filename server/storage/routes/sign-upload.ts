import type { FastifyPluginAsync } from 'fastify'
import { findBucketLimits } from '../bucket-queries.ts'
import { storageErrors } from '../errors.ts'
import { requireObjectKey } from '../object-key.ts'
import { ownerOf } from '../owner-of.ts'
import type { StorageParts } from '../storage-parts.ts'
import { makerOf } from '../upload-link.ts'
import { requireRightToUpload } from '../upload-object.ts'
import { type ObjectPath, objectPathSchema } from './object-path.ts'

/** storage-api's lifetime of an upload link. */
const uploadLinkSeconds = 2 * 3600

/** `POST /storage/v1/object/upload/sign/:bucket/*`: a link that lets someone else upload one file (API-STO-11). */
export const signUploadRoute: FastifyPluginAsync<{ parts: StorageParts }> = async (app, { parts }) => {
  app.post<{ Params: ObjectPath }>(
    '/object/upload/sign/:bucket/*',
    { schema: { params: objectPathSchema } },
    async (request) => {
      const { bucket, '*': path } = request.params
      const name = requireObjectKey(path)
      const upsert = request.headers['x-upsert'] === 'true'
      const owner = ownerOf(request.caller)
      if (!(await findBucketLimits(parts.database.service, bucket))) throw storageErrors.noSuchBucket()
      await requireRightToUpload(parts.database, request.caller, { bucket, name, owner, upsert })
      const claims = { url: `${bucket}/${name}`, upsert, maker: makerOf(request.caller) }
      const token = await parts.links.sign('upload', claims, uploadLinkSeconds)
      return { url: `/object/upload/sign/${bucket}/${name}?token=${token}`, token }
    },
  )
}
