import type { FastifyPluginAsync } from 'fastify'
import { storageErrors } from '../errors.ts'
import { findLinked } from '../find-readable.ts'
import { lifetimeOf } from '../link-tokens.ts'
import { sendObject } from '../send-object.ts'
import type { StorageParts } from '../storage-parts.ts'
import { masterPlaylist, mediaPlaylist } from '../video/playlists.ts'
import { findStreams } from '../video/video-queries.ts'
import { addLinkRoutes } from './link-routes.ts'

const properties = {
  quality: { type: 'string', maxLength: 20 },
  content: { type: 'string', enum: ['1'] },
} as const
type Query = { token?: string; quality?: string; content?: '1' }

/**
 * A video as HLS, with a signed link to the video (link-routes.ts). Without parameters it answers the master playlist, with `quality` one
 * media playlist, with `content` as well its bytes. Every address in a playlist has the token and expires with it.
 */
export const renderVideoRoute: FastifyPluginAsync<{ parts: StorageParts }> = async (app, { parts }) => {
  const { database, store } = parts
  addLinkRoutes<Query>(app, { form: 'render/video', properties }, async (request, reply, token) => {
    const { bucket, '*': name } = request.params
    const { quality, content } = request.query
    const { link, object } = await findLinked(parts, 'download', token, { bucket, name })
    if (!object.metadata) throw storageErrors.noSuchKey()
    const streams = await findStreams(database.service, object.version)
    const wanted = streams.find(({ stream }) => stream.name === quality)
    if (streams.length === 0 || (quality !== undefined && !wanted)) throw storageErrors.noStream()

    const { cacheControl } = lifetimeOf(link)
    if (wanted && content) {
      const { version, size_bytes: size, mimetype } = wanted
      const metadata = { ...object.metadata, size, mimetype, contentLength: size, eTag: `"${version}"` }
      return sendObject(request, reply, store, { ...object, version, metadata }, { cacheControl })
    }
    // The addresses are relative to this one, whose path may have the token already.
    const common: Record<string, string> = request.query.token === undefined ? {} : { token }
    const list = wanted
      ? mediaPlaylist(wanted.stream, common)
      : masterPlaylist(
          streams.map(({ stream }) => stream),
          common,
        )
    return reply.headers({ 'Cache-Control': cacheControl, 'Content-Type': 'application/vnd.apple.mpegurl' }).send(list)
  })
}
