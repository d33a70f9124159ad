import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { isbot } from 'isbot'
import type { ApiOptions } from '../http/api.ts'
import { clientKey } from '../http/client-address.ts'
import { countedPages, PageViewCounter, type Viewer } from '../visitors/page-view-counter.ts'
import { oneOf, readInput, uuid } from './fields.ts'
import type { Services } from './services.ts'

/** More views by one account or from one address aren't counted. */
const viewsOfViewer = { uses: 120, windowSeconds: 60 }

const fields = {
  page: oneOf(countedPages, { label: 'page', missing: 'page is missing' }),
  id: uuid({ label: 'id', missing: 'id is missing' }),
}

/**
 * `count-page-view` {page, id} → {}: someone sees a creator's profile or plans (profiles.id), or a product (products.id) (STATX-02). Visitors
 * count, too, so signing in isn't required. Bots, and what goes beyond the limit, get the same answer.
 */
export const countPageViewRoute: FastifyPluginAsync<ApiOptions<Services>> = async (app, { services }) => {
  const counter = new PageViewCounter(services.database.service)
  const limit = services.rateLimits.named('page-views', viewsOfViewer)
  app.post('/count-page-view', { bodyLimit: 1024 }, async (request) => {
    const view = readInput(fields, request.body)
    const viewer = viewerOf(request, services)
    if (viewer && (await limit.take('userId' in viewer ? viewer.userId : viewer.address)) === 0)
      await counter.count(view, viewer)
    return {}
  })
}

/** Undefined for bots and keys. Every browser sends a language; scripts send none, or any. */
function viewerOf({ caller, raw }: FastifyRequest, { trustsProxy }: Services): Viewer | undefined {
  if (caller.role === 'service_role') return undefined
  const { 'user-agent': agent = '', 'accept-language': language } = raw.headers
  if (!agent || isbot(agent) || !language || language === '*') return undefined
  if (caller.role === 'authenticated' && typeof caller.claims.sub === 'string') return { userId: caller.claims.sub }
  return { address: clientKey(raw, trustsProxy) ?? 'this machine', agent }
}
