import type { FastifyPluginAsync } from 'fastify'
import { storageErrors } from '../errors.ts'
import { findObject } from '../object-queries.ts'
import type { StorageParts } from '../storage-parts.ts'
import { findCaptions } from '../video/video-queries.ts'
import { type ObjectPath, objectPathSchema } from './object-path.ts'

const schema = {
  params: objectPathSchema,
  querystring: {
    type: 'object',
    required: ['token', 'language'],
    properties: { token: { type: 'string' }, language: { type: 'string', maxLength: 40 } },
  },
} as const

/** `GET /render/captions/sign/:bucket/*?token=&language=`: a video's captions as WebVTT, with a signed link to the video. */
export const renderCaptionsRoute: FastifyPluginAsync<{ parts: StorageParts }> = async (app, { parts }) => {
  const { database, links } = parts
  app.get<{ Params: ObjectPath; Querystring: { token: string; language: string } }>(
    '/render/captions/sign/:bucket/*',
    { schema },
    async (request, reply) => {
      const { bucket, '*': name } = request.params
      const { token, language } = request.query
      await links.verify('download', token, `${bucket}/${name}`)
      // As the service: the permission to read was checked when the link was made (POST-47).
      const object = await findObject(database.service, bucket, name)
      if (!object) throw storageErrors.noSuchKey()
      const captions = await findCaptions(database.service, object.id, language)
      if (captions === undefined) throw storageErrors.noCaptions()
      // The creator may correct them, so browsers revalidate every time.
      return reply.headers({ 'Cache-Control': 'private, no-cache' }).type('text/vtt; charset=utf-8').send(captions)
    },
  )
}
