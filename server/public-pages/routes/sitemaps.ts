import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { ApiOptions } from '../../http/api.ts'
import { sendRevalidated } from '../../http/send-html.ts'
import { anonymous } from '../../postgres/caller.ts'
import type { Services } from '../services.ts'
import { siteOf } from '../site.ts'
import { Sitemap } from '../sitemap/sitemap.ts'

/** `GET /sitemap.xml`, and its parts at `/sitemaps/{kind}-{n}.xml` (FIND-02). */
export const sitemapRoutes: FastifyPluginAsync<ApiOptions<Services>> = async (app, { services }) => {
  // Its documents are everyone's, so they count for nobody's address.
  const sitemap = new Sitemap({ db: services.database.as(anonymous), site: () => siteOf(services) })

  app.get('/sitemap.xml', async (_request, reply) => sendSitemap(reply, 'index'))

  app.get<{ Params: { file: string } }>('/sitemaps/:file', async (request, reply) => {
    const [, name = ''] = /^(\w+-\d+)\.xml$/.exec(request.params.file) ?? []
    return sendSitemap(reply, name)
  })

  async function sendSitemap(reply: FastifyReply, name: string) {
    const document = await sitemap.read(name)
    return document === undefined
      ? reply.status(404).send({ message: 'No such sitemap' })
      : sendRevalidated(reply, 'application/xml; charset=utf-8', document)
  }
}
