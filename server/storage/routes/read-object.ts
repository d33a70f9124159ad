import type { FastifyPluginAsync, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { storageErrors } from '../errors.ts'
import { findForCaller, findInPublicBucket } from '../find-readable.ts'
import { secondsUntil } from '../link-tokens.ts'
import { sendObject } from '../send-object.ts'
import { sendPicture } from '../send-picture.ts'
import type { StorageParts } from '../storage-parts.ts'
import { type ObjectPath, objectPathSchema } from './object-path.ts'

type Read = { Params: ObjectPath; Querystring: { download?: string; versionId?: string } }
type ReadSigned = { Params: ObjectPath; Querystring: { download?: string; token: string } }

/** Long enough to begin a download, too short to be useful to anyone who finds the address later. */
const redirectSeconds = 300

const download = { type: 'string', maxLength: 255 } as const
const schema = {
  params: objectPathSchema,
  querystring: { type: 'object', properties: { download, versionId: { type: 'string', maxLength: 100 } } },
} as const
const signedSchema = {
  params: objectPathSchema,
  querystring: { type: 'object', required: ['token'], properties: { download, token: { type: 'string' } } },
} as const

/**
 * Downloads (API-STO-09, API-STO-10), GET and HEAD:
 * `/object/:bucket/*` and `/object/authenticated/:bucket/*` as the caller, `/object/public/:bucket/*` from public buckets,
 * `/object/sign/:bucket/*?token=` with a signed link.
 */
export const readObjectRoutes: FastifyPluginAsync<{ parts: StorageParts }> = async (app, { parts }) => {
  const { store, links, rowCache } = parts
  const method: HTTPMethods[] = ['GET', 'HEAD']

  async function readAsCaller(request: FastifyRequest<Read>, reply: FastifyReply) {
    const { bucket, '*': name } = request.params
    const { download, versionId } = request.query
    const { object, cacheControl } = await findForCaller(parts, request.db, { bucket, name }, versionId)
    // A cache must not give one user's file to another user of the same browser or proxy.
    reply.header('Vary', 'Authorization')
    // The copy has the viewer's watermark, so this is its only form.
    if (object.mark) {
      return sendPicture(request, reply, parts, object, { transform: {}, mark: object.mark, cacheControl, download })
    }
    return sendObject(request, reply, store, object, { cacheControl, download, redirectSeconds })
  }

  app.route<Read>({ method, url: '/object/:bucket/*', schema, handler: readAsCaller })
  app.route<Read>({ method, url: '/object/authenticated/:bucket/*', schema, handler: readAsCaller })

  app.route<Read>({
    method,
    url: '/object/public/:bucket/*',
    schema,
    async handler(request, reply) {
      const { bucket, '*': name } = request.params
      const { download, versionId } = request.query
      const { object, cacheControl } = await findInPublicBucket(parts, { bucket, name }, versionId)
      return sendObject(request, reply, store, object, { cacheControl, download, redirectSeconds })
    },
  })

  app.route<ReadSigned>({
    method,
    url: '/object/sign/:bucket/*',
    schema: signedSchema,
    async handler(request, reply) {
      const { bucket, '*': name } = request.params
      const { expiresAt } = await links.verify('download', request.query.token, `${bucket}/${name}`)
      // As the service: the permission to read was checked when the link was made (POST-47).
      const object = await rowCache.content({ bucket, name })
      if (!object) throw storageErrors.noSuchKey()
      const secondsLeft = secondsUntil(expiresAt)
      return sendObject(request, reply, store, object, {
        cacheControl: `private, max-age=${secondsLeft}`,
        download: request.query.download,
        redirectSeconds: Math.min(redirectSeconds, secondsLeft),
      })
    },
  })
}
