import type { FastifyPluginAsync } from 'fastify'
import { etagOf, isNotModified } from '../../http/conditional.ts'
import { storageErrors } from '../errors.ts'
import { findLinked } from '../find-readable.ts'
import type { StorageParts } from '../storage-parts.ts'
import { findCaptions } from '../video/video-queries.ts'
import { addLinkRoutes } from './link-routes.ts'

const properties = { language: { type: 'string', maxLength: 40 } } as const

/** A video's captions in `?language=` as WebVTT, with a signed link to the video (link-routes.ts). */
export const renderCaptionsRoute: FastifyPluginAsync<{ parts: StorageParts }> = async (app, { parts }) => {
  const form = { form: 'render/captions', properties, required: ['language'] }
  addLinkRoutes<{ language: string }>(app, form, async (request, reply, token) => {
    const { bucket, '*': name } = request.params
    const { object } = await findLinked(parts, 'download', token, { bucket, name })
    const captions = await findCaptions(parts.database.service, object.id, request.query.language)
    if (captions === undefined) throw storageErrors.noCaptions()
    const etag = etagOf(captions)
    // The creator may correct them, so browsers revalidate every time.
    reply.headers({ 'Cache-Control': 'private, no-cache', ETag: etag })
    if (isNotModified(request.headers, { etag })) return reply.status(304).send()
    return reply.type('text/vtt; charset=utf-8').send(captions)
  })
}
