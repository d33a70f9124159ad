import type { FastifyPluginAsync, HTTPMethods } from 'fastify'
import { findForCaller, findInPublicBucket, findLinked } from '../find-readable.ts'
import { lifetimeOf } from '../link-tokens.ts'
import { type Transform, transformProperties } from '../pictures/transform.ts'
import { sendPicture } from '../send-picture.ts'
import type { StorageParts } from '../storage-parts.ts'
import { addLinkRoutes } from './link-routes.ts'
import { type ObjectPath, objectPathSchema } from './object-path.ts'

type Query = Transform & { download?: string }
type Render = { Params: ObjectPath; Querystring: Query }

const properties = { ...transformProperties, download: { type: 'string', maxLength: 255 } } as const
const schema = { params: objectPathSchema, querystring: { type: 'object', properties } } as const

/**
 * Pictures in another size or format (API-STO-17), GET and HEAD, with the permissions of the object itself:
 * `/render/image/authenticated/:bucket/*` as the caller, `/render/image/public/:bucket/*` from public buckets,
 * and with a signed link (link-routes.ts). A link to one rendering opens that one alone;
 * a link to the object itself opens it in any size.
 */
export const renderImageRoutes: FastifyPluginAsync<{ parts: StorageParts }> = async (app, { parts }) => {
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

  addLinkRoutes<Query>(app, { form: 'render/image', properties }, async (request, reply, token) => {
    const { bucket, '*': name } = request.params
    const { link, object } = await findLinked(parts, ['image', 'download'], token, { bucket, name })
    const { transform, download } = orderOf(request.query)
    return sendPicture(request, reply, parts, object, {
      transform: link.transform ?? transform,
      mark: link.mark,
      download,
      cacheControl: lifetimeOf(link).cacheControl,
    })
  })
}

function orderOf({ download, width, height, resize, quality, format }: Query) {
  return { download, transform: { width, height, resize, quality, format } as Transform }
}
