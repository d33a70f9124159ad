import type { FastifyPluginAsync, HTTPMethods } from 'fastify'
import { storageErrors } from '../errors.ts'
import { secondsUntil } from '../link-tokens.ts'
import { findObject } from '../object-queries.ts'
import { sendObject } from '../send-object.ts'
import type { StorageParts } from '../storage-parts.ts'
import { masterPlaylist, mediaPlaylist } from '../video/playlists.ts'
import { findStreams } from '../video/video-queries.ts'
import { type ObjectPath, objectPathSchema } from './object-path.ts'

const schema = {
  params: objectPathSchema,
  querystring: {
    type: 'object',
    required: ['token'],
    properties: {
      token: { type: 'string' },
      quality: { type: 'string', maxLength: 20 },
      content: { type: 'string', enum: ['1'] },
    },
  },
} as const
type Query = { token: string; quality?: string; content?: '1' }

/**
 * `/render/video/sign/:bucket/*?token=`, GET and HEAD: a video as HLS, with a signed link to the video. Without parameters it answers
 * the master playlist, with `quality` one media playlist, with `content` as well its bytes. Every address in a playlist has the token
 * and expires with it.
 */
export const renderVideoRoute: FastifyPluginAsync<{ parts: StorageParts }> = async (app, { parts }) => {
  const { database, store, links } = parts
  const method: HTTPMethods[] = ['GET', 'HEAD']
  app.route<{ Params: ObjectPath; Querystring: Query }>({
    method,
    url: '/render/video/sign/:bucket/*',
    schema,
    async handler(request, reply) {
      const { bucket, '*': name } = request.params
      const { token, quality, content } = request.query
      const { expiresAt } = await links.verify('download', token, `${bucket}/${name}`)
      // As the service: the permission to read was checked when the link was made (POST-47).
      const object = await findObject(database.service, bucket, name)
      if (!object?.metadata) throw storageErrors.noSuchKey()
      const streams = await findStreams(database.service, object.version)
      const wanted = streams.find(({ stream }) => stream.name === quality)
      if (streams.length === 0 || (quality !== undefined && !wanted)) throw storageErrors.noStream()

      const cacheControl = `private, max-age=${secondsUntil(expiresAt)}`
      if (wanted && content) {
        const { version, size_bytes: size, mimetype } = wanted
        const metadata = { ...object.metadata, size, mimetype, contentLength: size, eTag: `"${version}"` }
        return sendObject(request, reply, store, { ...object, version, metadata }, { cacheControl })
      }
      const list = wanted
        ? mediaPlaylist(wanted.stream, token)
        : masterPlaylist(
            streams.map(({ stream }) => stream),
            token,
          )
      return reply
        .headers({ 'Cache-Control': cacheControl, 'Content-Type': 'application/vnd.apple.mpegurl' })
        .send(list)
    },
  })
}
