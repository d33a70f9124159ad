import type { FastifyPluginAsync, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { storageErrors } from '../errors.ts'
import { findForCaller, findInPublicBucket } from '../find-readable.ts'
import { secondsUntil } from '../link-tokens.ts'
import { type Transform, transformProperties } from '../pictures/transform.ts'
import { sendPicture } from '../send-picture.ts'
import type { StorageParts } from '../storage-parts.ts'
import { type ObjectPath, objectPathSchema } from './object-path.ts'

type Query = Transform & { download?: string }
type Render = { Params: ObjectPath; Querystring: Query }
type RenderSigned = { Params: ObjectPath; Querystring: Query & { token: string } }

const properties = { ...transformProperties, download: { type: 'string', maxLength: 255 } } as const
const schema = { params: objectPathSchema, querystring: { type: 'object', properties } } as const
const signedSchema = {
  params: objectPathSchema,
  querystring: { type: 'object', required: ['token'], properties: { ...properties, token: { type: 'string' } } },
} as const

/**
 * Pictures in another size or format (API-STO-17), GET and HEAD, with the permissions of the object itself:
 * `/render/image/authenticated/:bucket/*` as the caller, `/render/image/public/:bucket/*` from public buckets,
 * `/render/image/sign/:bucket/*?token=` with a signed link. A link to one rendering opens that one alone;
 * a link to the object itself opens it in any size.
 */
export const renderImageRoutes: FastifyPluginAsync<{ parts: StorageParts }> = async (app, { parts }) => {
  const { links, rowCache } = parts
  const method: HTTPMethods[] = ['GET', 'HEAD']

  app.route<Render>({
    method,
    url: '/render/image/authenticated/:bucket/*',
    schema,
    async handler(request, reply) {
      const { bucket, '*': name } = request.params
      const { object, cacheControl } = await findForCaller(parts, request.db, { bucket, name })
      reply.header('Vary', 'Authorization')
      return sendPicture(request, reply, parts, object, {
        ...orderOf(request.query),
        cacheControl,
        mark: object.mark ?? undefined,
      })
    },
  })

  app.route<Render>({
    method,
    url: '/render/image/public/:bucket/*',
    schema,
    async handler(request, reply) {
      const { bucket, '*': name } = request.params
      const { object, cacheControl } = await findInPublicBucket(parts, { bucket, name })
      return sendPicture(request, reply, parts, object, { ...orderOf(request.query), cacheControl, isPublic: true })
    },
  })

  app.route<RenderSigned>({
    method,
    url: '/render/image/sign/:bucket/*',
    schema: signedSchema,
    handler: sendSigned,
  })

  async function sendSigned(request: FastifyRequest<RenderSigned>, reply: FastifyReply) {
    const { bucket, '*': name } = request.params
    const link = await links.verify(['image', 'download'], request.query.token, `${bucket}/${name}`)
    // As the service: the permission to read was checked when the link was made (POST-47).
    const object = await rowCache.content({ bucket, name })
    if (!object) throw storageErrors.noSuchKey()
    const { transform, download } = orderOf(request.query)
    return sendPicture(request, reply, parts, object, {
      transform: link.transform ?? transform,
      mark: link.mark,
      download,
      cacheControl: `private, max-age=${secondsUntil(link.expiresAt)}`,
    })
  }
}

function orderOf({ download, width, height, resize, quality, format }: Query) {
  return { download, transform: { width, height, resize, quality, format } as Transform }
}
