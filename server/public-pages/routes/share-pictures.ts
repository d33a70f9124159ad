import type { FastifyPluginAsync } from 'fastify'
import type { ApiOptions } from '../../http/api.ts'
import { clientKey } from '../../http/client-address.ts'
import { errors } from '../../http/errors.ts'
import { findAddress } from '../find-address.ts'
import { readPage } from '../read-page.ts'
import type { Services } from '../services.ts'
import { describePicture } from '../share-picture/describe-picture.ts'
import { SharePictures } from '../share-picture/share-pictures.ts'
import { siteOf } from '../site.ts'
import { visitorDb } from '../visitor-db.ts'

/** What other sites show beside a link may be this old. */
const cacheControl = 'public, max-age=300'

/** `GET /card/post/:id.jpg`, `/card/product/:id.jpg`, `/card/profile/:username.jpg`: the picture of a shared link (FIND-02), 1200 × 630. */
export const sharePictureRoutes: FastifyPluginAsync<ApiOptions<Services>> = async (app, { services }) => {
  // By storage/v1 itself, whose rules say what visitors see.
  const pictures = new SharePictures(async (path) => {
    const { statusCode, rawPayload } = await app.inject({ url: path, headers: { accept: 'image/jpeg' } })
    // A picture without it would be cached.
    if (statusCode >= 500 || statusCode === 429) throw errors.overloaded()
    return statusCode === 200 ? rawPayload : undefined
  })

  app.get<{ Params: { kind: string; file: string } }>('/card/:kind/:file', async (request, reply) => {
    const { kind, file } = request.params
    const address = file.endsWith('.jpg') ? findAddress(`/${kind}/${file.slice(0, -'.jpg'.length)}`) : undefined
    const page = address && (await readPage(visitorDb(services, request), address))
    if (!page) return reply.status(404).send({ message: 'No such picture' })
    const description = describePicture(page, siteOf(services))
    const etag = `"${description.version}"`
    reply.headers({ 'Cache-Control': cacheControl, ETag: etag })
    if (!page.isIndexed) reply.header('X-Robots-Tag', 'noindex')
    if (request.headers['if-none-match'] === etag) return reply.status(304).send()
    return reply.type('image/jpeg').send(await pictures.get(description, clientKey(request.raw, services.trustsProxy)))
  })
}
