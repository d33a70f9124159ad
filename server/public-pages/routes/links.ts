import { trackingLinkPath } from '@ovation/contract/tracking-links'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { toBuffer, toString as toText } from 'qrcode'
import type { ApiOptions } from '../../http/api.ts'
import { clientKey } from '../../http/client-address.ts'
import { type Link, LinkFinder } from '../links/find-link.ts'
import { isPerson } from '../links/is-person.ts'
import { isOwnBrowser, rememberOpened } from '../links/opened-links.ts'
import { VisitCounter } from '../links/visit-counter.ts'
import type { Services } from '../services.ts'
import { addressOn, siteOf } from '../site.ts'

/** More visits from one address are led on, too, but not counted. */
const opensOfAddress = { uses: 120, windowSeconds: 60 }

/** Printed codes get dirty: a quarter of it may be unreadable. */
const qrCode = { margin: 2, errorCorrectionLevel: 'Q' } as const
const qrPixels = 1024

/**
 * `GET /l/:code`: a creator's link (LINK-01). It leads on by 302, never from a cache, and counts the visit. Whatever isn't a link, or belongs to
 * a suspended creator, is the web app's not-found screen. `GET /l/:code.png` and `/l/:code.svg` are its QR code.
 */
export const linkRoutes: FastifyPluginAsync<ApiOptions<Services>> = async (app, { services }) => {
  const { service } = services.database
  const finder = new LinkFinder(service)
  const counter = new VisitCounter(service)
  app.get<{ Params: { name: string } }>('/l/:name', async (request, reply) => {
    const [, code, form] = /^([a-z0-9]{8})(?:\.(png|svg))?$/.exec(request.params.name.toLowerCase()) ?? []
    const link = code === undefined ? undefined : await finder.find(code)
    if (code === undefined || !link) return reply.callNotFound()
    reply.header('X-Robots-Tag', 'noindex')
    if (form !== undefined) return sendQrCode(reply, addressOn(siteOf(services), trackingLinkPath(code)), form)
    if (!link.isArchived) await open(request, reply, code, link)
    return reply.header('Cache-Control', 'no-store').redirect(link.path, 302)
  })

  async function open(request: FastifyRequest, reply: FastifyReply, code: string, link: Link): Promise<void> {
    const { cookie, 'user-agent': agent = '' } = request.headers
    if (!isPerson(request.raw) || isOwnBrowser(cookie, link.creatorId)) return
    const address = clientKey(request.raw, services.trustsProxy) ?? 'this machine'
    if ((await services.rateLimits.named('links', opensOfAddress).take(address)) > 0) return
    const now = Math.floor(Date.now() / 1000)
    reply.header('Set-Cookie', rememberOpened(cookie, code, now, services.siteUrl().startsWith('https:')))
    // A visitor gets on without being counted.
    await counter
      .count(link.id, { address, agent })
      .catch((err: unknown) => services.log.warn({ err }, 'a visit to a link was not counted'))
  }
}

/** The link never changes, only the address of the site could. */
async function sendQrCode(reply: FastifyReply, address: string, form: string) {
  reply.header('Cache-Control', 'public, max-age=86400')
  if (form === 'svg') return reply.type('image/svg+xml').send(await toText(address, { ...qrCode, type: 'svg' }))
  return reply.type('image/png').send(await toBuffer(address, { ...qrCode, type: 'png', width: qrPixels }))
}
