import multipart from '@fastify/multipart'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { Caller } from '../../postgres/caller.ts'
import { drain } from '../byte-stream.ts'
import { readIncomingFile } from '../incoming-file.ts'
import { requireObjectKey } from '../object-key.ts'
import { ownerOf } from '../owner-of.ts'
import type { StorageParts } from '../storage-parts.ts'
import { takeFiles } from '../take-files.ts'
import { readUploadLink, type UploadLink } from '../upload-link.ts'
import { uploadObject } from '../upload-object.ts'
import { type ObjectPath, objectPathSchema } from './object-path.ts'

const signedSchema = {
  params: objectPathSchema,
  querystring: { type: 'object', required: ['token'], properties: { token: { type: 'string' } } },
} as const

/**
 * `POST` and `PUT /storage/v1/object/:bucket/*`: a file from a caller with permission (API-STO-01, API-STO-03, API-STO-05).
 * `PUT /storage/v1/object/upload/sign/:bucket/*?token=`: a file through an upload link, once, on behalf of its maker (API-STO-11).
 */
export const uploadObjectRoutes: FastifyPluginAsync<{ parts: StorageParts }> = async (app, { parts }) => {
  takeFiles(app)
  await app.register(multipart)
  app.addHook('onError', async (request) => drain(request.raw))

  async function upload(request: FastifyRequest, caller: Caller, upsert: boolean, link?: UploadLink) {
    const { bucket, '*': path } = request.params as ObjectPath
    const name = requireObjectKey(path)
    const target = { bucket, name, owner: ownerOf(caller), upsert, link }
    const { id } = await uploadObject(parts, caller, target, () => readIncomingFile(request))
    return { Id: id, Key: `${bucket}/${name}` }
  }

  app.post('/object/:bucket/*', { schema: { params: objectPathSchema } }, (request) =>
    upload(request, request.caller, request.headers['x-upsert'] === 'true'),
  )
  app.put('/object/:bucket/*', { schema: { params: objectPathSchema } }, (request) =>
    upload(request, request.caller, true),
  )
  app.put<{ Params: ObjectPath; Querystring: { token: string } }>(
    '/object/upload/sign/:bucket/*',
    { schema: signedSchema },
    async (request) => {
      const { bucket, '*': name } = request.params
      const verified = await parts.links.verify('upload', request.query.token, `${bucket}/${name}`)
      const link = readUploadLink(verified)
      return upload(request, link.caller, verified.upsert ?? false, link)
    },
  )
}
