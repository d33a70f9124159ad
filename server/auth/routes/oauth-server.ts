import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Body } from '../body.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { refusalScreen, requestAuthorization } from '../oauth-server/authorization-request.ts'
import {
  createClient,
  deleteClient,
  listClients,
  regenerateSecret,
  renderClient,
  requireClient,
  updateClient,
} from '../oauth-server/clients.ts'
import { answerAuthorization, listGrants, readAuthorization, revokeGrant } from '../oauth-server/consent.ts'
import { describeServer } from '../oauth-server/discovery.ts'
import { exchangeGrant } from '../oauth-server/exchange.ts'
import { readUserInfo } from '../oauth-server/id-token.ts'
import { knownScopes, splitScopes } from '../oauth-server/scopes.ts'
import { addressKeyOf, originOf } from '../request-origin.ts'
import { requireRequester } from '../sessions/requester.ts'
import { linksFor, readPage } from './pages.ts'
import { queryOf } from './query.ts'

type WithId = { Params: { id: string } }

/** `/oauth/*` and `/user/oauth/grants`. Contract: supabase/auth `internal/api/oauthserver`, RFC 6749, RFC 7591, RFC 8414. */
export function oauthServerRoutes(app: FastifyInstance, ctx: AuthContext) {
  app.get('/.well-known/oauth-authorization-server', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=600')
    return describeServer(ctx)
  })

  // No HEAD: it would begin an authorization that nobody completes.
  app.get('/oauth/authorize', { exposeHeadRoute: false }, async (request, reply) => {
    reply.header('referrer-policy', 'no-referrer')
    const asked = requestAuthorization(ctx, queryOf(request), originOf(request))
    const isPage = request.headers.accept?.includes('text/html') ?? false
    return reply.redirect(isPage ? await asked.catch((error) => refusalScreen(ctx, error)) : await asked, 302)
  })

  app.get<WithId>('/oauth/authorizations/:id', { exposeHeadRoute: false }, async (request) =>
    readAuthorization(ctx, await requireRequester(ctx, request), request.params.id, originOf(request)),
  )
  app.post<WithId>('/oauth/authorizations/:id/consent', async (request) => {
    const requester = await requireRequester(ctx, request)
    const action = new Body(request).text('action')
    if (action !== 'approve' && action !== 'deny') {
      throw authErrors.validationFailed('action must be approve or deny')
    }
    const answer = { id: request.params.id, approves: action === 'approve' }
    return answerAuthorization(ctx, requester, answer, originOf(request))
  })

  app.post('/oauth/token', async (request, reply) => {
    reply.header('pragma', 'no-cache')
    return exchangeGrant(ctx, request, readForm(request), originOf(request))
  })

  for (const method of ['GET', 'POST'] as const) {
    app.route({
      method,
      url: '/oauth/userinfo',
      handler: async (request) => {
        const { account, client } = await requireRequester(ctx, request, { letsAppsIn: true })
        // The token's scopes, which can be fewer than the session's.
        const { scope } = request.caller.claims
        const scopes = client ? splitScopes(typeof scope === 'string' ? scope : client.scope) : knownScopes
        return readUserInfo(ctx, account, scopes)
      },
    })
  }

  app.post('/oauth/clients/register', async (request, reply) => {
    const { dynamicRegistration } = ctx.config.auth.oauthServer
    if (!dynamicRegistration) throw authErrors.oauthRegistrationDisabled()
    const wait = await ctx.limits.oauthRegister.take(addressKeyOf(originOf(request)))
    if (wait > 0) throw authErrors.overRequestRate(wait)
    reply.status(201)
    return createClient(ctx, new Body(request), 'dynamic', originOf(request))
  })

  app.get('/user/oauth/grants', async (request) => listGrants(ctx, await requireRequester(ctx, request)))
  app.delete('/user/oauth/grants', async (request, reply) => {
    const requester = await requireRequester(ctx, request)
    await revokeGrant(ctx, requester, queryOf(request).client_id, originOf(request))
    return reply.status(204).send()
  })
}

/** `/admin/oauth/clients`, within the service key's scope. */
export function oauthClientRoutes(app: FastifyInstance, ctx: AuthContext) {
  const path = '/admin/oauth/clients'
  app.get(path, async (request, reply) => {
    const page = readPage(queryOf(request))
    const { clients, total } = await listClients(ctx, page)
    reply.header('x-total-count', total).header('link', linksFor(path, page, total))
    return { clients: clients.map((client) => renderClient(client)), aud: 'authenticated' }
  })
  app.post(path, async (request, reply) => {
    reply.status(201)
    return createClient(ctx, new Body(request), 'manual', originOf(request))
  })
  app.get<WithId>(`${path}/:id`, async ({ params }) => renderClient(await requireClient(ctx.db, params.id)))
  app.put<WithId>(`${path}/:id`, async (request) =>
    updateClient(ctx, request.params.id, new Body(request), originOf(request)),
  )
  app.delete<WithId>(`${path}/:id`, async (request, reply) => {
    await deleteClient(ctx, request.params.id, originOf(request))
    return reply.status(204).send()
  })
  app.post<WithId>(`${path}/:id/regenerate_secret`, async (request) =>
    regenerateSecret(ctx, request.params.id, originOf(request)),
  )
}

/** A form (RFC 6749), or JSON, which GoTrue also accepts. A repeated field is an error. */
function readForm(request: FastifyRequest): Body {
  if (typeof request.body !== 'string') return new Body(request)
  const form = new URLSearchParams(request.body)
  const names = [...form.keys()]
  if (new Set(names).size !== names.length) throw authErrors.oauthInvalidRequest('A parameter is given twice')
  return new Body({ body: Object.fromEntries(form) })
}
