import type { FastifyPluginAsync } from 'fastify'
import type { ApiOptions } from '../../http/api.ts'
import { sendHtml } from '../../http/send-html.ts'
import { cardPolicy, writeCard, writeMissingCard } from '../card/write-card.ts'
import { findAddress } from '../find-address.ts'
import { readPage } from '../read-page.ts'
import type { Services } from '../services.ts'
import { siteOf } from '../site.ts'
import { visitorDb } from '../visitor-db.ts'

/**
 * `GET /embed/post/:id`, `/embed/product/:id`, `/embed/profile/:username`: cards in frames of other sites (FIND-03). Each request reads the page, so a post that is
 * gone is gone from all sites at once.
 */
export const cardRoutes: FastifyPluginAsync<ApiOptions<Services>> = async (app, { services }) => {
  app.get<{ Params: { kind: string; name: string } }>('/embed/:kind/:name', async (request, reply) => {
    const site = siteOf(services)
    const { kind, name } = request.params
    const address = findAddress(`/${kind}/${name}`)
    const page = address && (await readPage(visitorDb(services, request), address))
    // Search engines list the page itself.
    reply
      .headers({ 'Content-Security-Policy': cardPolicy(services.config), 'X-Robots-Tag': 'noindex' })
      .removeHeader('X-Frame-Options')
    if (!page) return sendHtml(reply.status(404), writeMissingCard(site))
    return sendHtml(reply, writeCard(page, site))
  })
}
