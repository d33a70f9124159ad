import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Body } from '../body.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { requireFullAssurance } from '../factors/factors.ts'
import { type AuthorizeOptions, authorize, returnFromProvider } from '../providers/authorize.ts'
import { requireProvider } from '../providers/provider-client.ts'
import { unlinkIdentity } from '../providers/unlink-identity.ts'
import { allowedRedirect } from '../redirects.ts'
import { originOf } from '../request-origin.ts'
import { readCodeChallenge } from '../sessions/code-challenge.ts'
import { requireRequester } from '../sessions/requester.ts'
import { addressFor } from './address-for.ts'
import { forgetSecret, keepSecret, readSecret } from './browser-secret.ts'
import { queryOf } from './query.ts'

/** `/authorize`, `/callback`, `/user/identities` (API-AUTH-16..18). */
export function providerRoutes(app: FastifyInstance, ctx: AuthContext) {
  // No HEAD: it would begin a flow that nobody completes.
  app.get('/authorize', { exposeHeadRoute: false }, async (request, reply) => {
    const { url, browserSecret } = await authorize(ctx, readAuthorizeOptions(ctx, request, undefined))
    return keepSecret(ctx, reply, browserSecret).redirect(url, 302)
  })

  app.get('/user/identities/authorize', { exposeHeadRoute: false }, async (request, reply) => {
    const requester = await requireRequester(ctx, request)
    requireProvider(ctx, queryOf(request).provider)
    if (!ctx.config.auth.manualLinking) throw authErrors.linkingDisabled()
    if (requester.account.is_sso_user) throw authErrors.userSsoManaged()
    requireFullAssurance(requester, authErrors.aal2ToChange)
    const { url, browserSecret } = await authorize(ctx, readAuthorizeOptions(ctx, request, requester.account.id))
    keepSecret(ctx, reply, browserSecret)
    return queryOf(request).skip_http_redirect === 'true' ? { url } : reply.redirect(url, 302)
  })

  app.delete<{ Params: { id: string } }>('/user/identities/:id', async (request) => {
    const requester = await requireRequester(ctx, request)
    if (!ctx.config.auth.manualLinking) throw authErrors.linkingDisabled()
    await unlinkIdentity(ctx, requester, request.params.id, originOf(request))
    return {}
  })

  app.get('/callback', { exposeHeadRoute: false }, async (request, reply) => {
    requireAnyProvider(ctx)
    const query = new URLSearchParams(request.url.split('?')[1] ?? '')
    const returned = await returnFromProvider(ctx, query, readSecret(request), originOf(request))
    return forgetSecret(reply).header('referrer-policy', 'no-referrer').redirect(addressFor(returned), 303)
  })

  // Another site's form post comes without our cookie, so the browser is redirected to send it with the cookie.
  app.post('/callback', async (request, reply) => {
    requireAnyProvider(ctx)
    const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
    const kept = ['state', 'code', 'error', 'error_description', 'iss'].flatMap((name) => {
      const value = form.get(name)
      return value === null ? [] : [[name, value] as [string, string]]
    })
    return reply.redirect(`${ctx.siteUrl()}/auth/v1/callback?${new URLSearchParams(kept)}`, 303)
  })
}

function readAuthorizeOptions(ctx: AuthContext, request: FastifyRequest, linkTo: string | undefined): AuthorizeOptions {
  const { provider, scopes, redirect_to } = queryOf(request)
  return {
    provider,
    scopes,
    redirectTo: allowedRedirect(ctx, redirect_to),
    codeChallenge: readCodeChallenge(new Body({ body: queryOf(request) })),
    linkTo,
  }
}

function requireAnyProvider({ config }: AuthContext) {
  if (config.auth.providers.size === 0 && !config.auth.saml.enabled)
    throw authErrors.providerDisabled('Sign-in with another service')
}
