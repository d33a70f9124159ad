import type { FastifyInstance } from 'fastify'
import { Body } from '../body.ts'
import type { AuthContext } from '../context.ts'
import { allowedRedirect } from '../redirects.ts'
import { originOf } from '../request-origin.ts'
import { ownMetadata, requireSaml } from '../saml/service-provider.ts'
import { beginSso, consumeAssertion } from '../saml/sign-in.ts'
import { readCodeChallenge } from '../sessions/code-challenge.ts'
import { addressFor } from './address-for.ts'
import { forgetSecret, keepSecret, readSecret } from './browser-secret.ts'

/** `POST /sso` (API-AUTH-15), and the endpoints for identity providers. Contract: supabase/auth `internal/api/{sso,saml}.go`. */
export function ssoRoutes(app: FastifyInstance, ctx: AuthContext) {
  app.post('/sso', async (request, reply) => {
    const body = new Body(request)
    const { url, browserSecret } = await beginSso(ctx, {
      providerId: body.text('provider_id'),
      domain: body.text('domain', 253),
      redirectTo: allowedRedirect(ctx, body.text('redirect_to')),
      codeChallenge: readCodeChallenge(body),
    })
    keepSecret(ctx, reply, browserSecret)
    return body.flag('skip_http_redirect') ? { url } : reply.redirect(url, 303)
  })

  app.get('/sso/saml/metadata', async (request, reply) => {
    requireSaml(ctx)
    const { download } = request.query as { download?: unknown }
    if (download === 'true') reply.header('content-disposition', 'attachment; filename="metadata.xml"')
    reply.type('application/xml').header('cache-control', 'public, max-age=600')
    return ownMetadata(ctx)
  })

  app.post('/sso/saml/acs', async (request, reply) => {
    const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
    const answer = {
      samlResponse: form.get('SAMLResponse') ?? '',
      relayState: form.get('RelayState') ?? '',
      browserSecret: readSecret(request),
    }
    const consumed = await consumeAssertion(ctx, answer, originOf(request))
    reply.header('referrer-policy', 'no-referrer')
    // The form came from another site and so without our cookie: the browser is redirected to send it.
    if ('resumeWith' in consumed) {
      return reply.redirect(`${ctx.siteUrl()}/auth/v1/callback?state=${consumed.resumeWith}`, 303)
    }
    return forgetSecret(reply).redirect(addressFor(consumed), 303)
  })
}
