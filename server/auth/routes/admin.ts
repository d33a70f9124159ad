import type { FastifyInstance } from 'fastify'
import { generateLink, inviteUser } from '../admin/admin-links.ts'
import {
  createUser,
  deleteFactorAsAdmin,
  deleteUser,
  findUser,
  listUsers,
  updateUserAsAdmin,
} from '../admin/admin-users.ts'
import { Body } from '../body.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { deletePasskey, listPasskeys } from '../factors/passkeys.ts'
import { allowedRedirect } from '../redirects.ts'
import { originOf } from '../request-origin.ts'
import {
  createSsoProvider,
  deleteSsoProvider,
  findSsoProvider,
  listSsoProviders,
  renderSsoProvider,
  updateSsoProvider,
} from '../saml/providers.ts'
import { requireServiceRole } from '../sessions/requester.ts'
import { renderFactor, renderUser } from '../users/render-user.ts'
import { oauthClientRoutes } from './oauth-server.ts'
import { linksFor, readPage } from './pages.ts'
import { queryOf } from './query.ts'

type WithId = { Params: { id: string } }
type WithFactor = { Params: { id: string; factorId: string } }
type WithPasskey = { Params: { id: string; passkeyId: string } }

/** `/admin/*` and `/invite` (API-AUTH-24..28): only for the service key. */
export function adminRoutes(parent: FastifyInstance, ctx: AuthContext) {
  parent.register(async (app) => {
    app.addHook('preHandler', async (request) => requireServiceRole(request))

    app.post('/invite', async (request) => {
      const redirectTo = allowedRedirect(ctx, queryOf(request).redirect_to)
      return renderUser(await inviteUser(ctx, new Body(request), redirectTo, originOf(request)))
    })
    app.post('/admin/generate_link', async (request) => {
      const redirectTo = allowedRedirect(ctx, queryOf(request).redirect_to)
      return generateLink(ctx, new Body(request), redirectTo, originOf(request))
    })
    app.get<WithId>('/admin/users/:id/factors', async (request) => {
      return (await findUser(ctx, request.params.id)).factors.map(renderFactor)
    })
    app.delete<WithFactor>('/admin/users/:id/factors/:factorId', async (request) => {
      const { id, factorId } = request.params
      await deleteFactorAsAdmin(ctx, id, factorId, originOf(request))
      return { id: factorId }
    })
    app.get<WithId>('/admin/users/:id/passkeys', async (request) =>
      listPasskeys(ctx, (await findUser(ctx, request.params.id)).id),
    )
    app.delete<WithPasskey>('/admin/users/:id/passkeys/:passkeyId', async (request, reply) => {
      const { id } = await findUser(ctx, request.params.id)
      await deletePasskey(ctx, id, request.params.passkeyId, originOf(request))
      return reply.status(204).send()
    })
    ssoProviderRoutes(app, ctx)
    if (ctx.config.auth.oauthServer.enabled) oauthClientRoutes(app, ctx)
    for (const path of ['/admin/oauth/*', '/admin/custom-providers*']) {
      app.all(path, async () => {
        throw authErrors.providerDisabled('What this path administers')
      })
    }

    app.get('/admin/users', async (request, reply) => {
      const page = readPage(queryOf(request))
      const { users, total } = await listUsers(ctx, page)
      reply.header('x-total-count', total).header('link', linksFor('/admin/users', page, total))
      return { users: users.map(renderUser), aud: 'authenticated' }
    })
    app.post('/admin/users', async (request) => renderUser(await createUser(ctx, new Body(request), originOf(request))))
    app.get<WithId>('/admin/users/:id', async (request) => renderUser(await findUser(ctx, request.params.id)))
    app.put<WithId>('/admin/users/:id', async (request) =>
      renderUser(await updateUserAsAdmin(ctx, request.params.id, new Body(request), originOf(request))),
    )
    app.delete<WithId>('/admin/users/:id', async (request) => {
      const soft = new Body(request).flag('should_soft_delete') ?? false
      await deleteUser(ctx, request.params.id, soft, originOf(request))
      return {}
    })
  })
}

/** `/admin/sso/providers`: the companies whose users sign in with their own identity provider. */
function ssoProviderRoutes(app: FastifyInstance, ctx: AuthContext) {
  const path = '/admin/sso/providers'
  app.get(path, async () => ({ items: (await listSsoProviders(ctx)).map(renderSsoProvider) }))
  app.post(path, async (request, reply) => {
    reply.status(201)
    return renderSsoProvider(await createSsoProvider(ctx, new Body(request), originOf(request)))
  })
  app.get<WithId>(`${path}/:id`, async ({ params }) => renderSsoProvider(await findSsoProvider(ctx, params.id)))
  app.put<WithId>(`${path}/:id`, async (request) =>
    renderSsoProvider(await updateSsoProvider(ctx, request.params.id, new Body(request), originOf(request))),
  )
  app.delete<WithId>(`${path}/:id`, async (request) =>
    renderSsoProvider(await deleteSsoProvider(ctx, request.params.id, originOf(request))),
  )
}
