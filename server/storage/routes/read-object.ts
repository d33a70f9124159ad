import type { FastifyPluginAsync, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { findForCaller, findInPublicBucket, findLinked } from '../find-readable.ts'
import { lifetimeOf } from '../link-tokens.ts'
import { sendObject } from '../send-object.ts'
import { sendPicture } from '../send-picture.ts'
import type { StorageParts } from '../storage-parts.ts'
import { addLinkRoutes } from './link-routes.ts'
import { type ObjectPath, objectPathSchema } from './object-path.ts'

type Read = { Params: ObjectPath; Querystring: { download?: string; versionId?: string } }

/** Long enough to begin a download, too short to be useful to anyone who finds the address later. */
const redirectSeconds = 300

/** A product's file may be of any type, so browsers save it and never show it (OFFER-05). */
const saved = (bucket: string, download: string | undefined) => (bucket === 'products' ? (download ?? '') : download)

const download = { type: 'string', maxLength: 255 } as const
const schema = {
  params: objectPathSchema,
  querystring: { type: 'object', properties: { download, versionId: { type: 'string', maxLength: 100 } } },
} as const

/**
 * Downloads (API-STO-09, API-STO-10), GET and HEAD:
 * `/object/:bucket/*` and `/object/authenticated/:bucket/*` as the caller, `/object/public/:bucket/*` from public buckets,
 * and with a signed link (link-routes.ts).
 */
export const readObjectRoutes: FastifyPluginAsync<{ parts: StorageParts }> = async (app, { parts }) => {
  const { store } = parts
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
    return sendObject(request, reply, store, object, {
      cacheControl,
      download: saved(bucket, download),
      redirectSeconds,
    })
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

  addLinkRoutes<{ download?: string }>(
    app,
    { form: 'object', properties: { download } },
    async (request, reply, token) => {
      const { bucket, '*': name } = request.params
      const { link, object } = await findLinked(parts, 'download', token, { bucket, name })
      const { cacheControl, seconds } = lifetimeOf(link)
      return sendObject(request, reply, store, object, {
        cacheControl,
        download: saved(bucket, request.query.download),
        redirectSeconds: Math.min(redirectSeconds, seconds),
      })
    },
  )
}
