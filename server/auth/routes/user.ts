import type { FastifyInstance } from 'fastify'
import { Body } from '../body.ts'
import type { AuthContext } from '../context.ts'
import { readEmail } from '../email/read-email-address.ts'
import { requestReauthentication } from '../passwords/reauthenticate.ts'
import { readPhone } from '../phone/phone.ts'
import { allowedRedirect } from '../redirects.ts'
import { originOf } from '../request-origin.ts'
import { readCodeChallenge } from '../sessions/code-challenge.ts'
import { requireRequester } from '../sessions/requester.ts'
import { renderUser } from '../users/render-user.ts'
import { updateUser } from '../users/update-user.ts'
import { queryOf } from './query.ts'

/** `GET /user`, `PUT /user`, `GET /reauthenticate` (API-AUTH-12..14). */
export function userRoutes(app: FastifyInstance, ctx: AuthContext) {
  app.get('/user', async (request) => renderUser((await requireRequester(ctx, request, { letsAppsIn: true })).account))

  // It sends an email, so a HEAD must not do it.
  app.get('/reauthenticate', { exposeHeadRoute: false }, async (request) => {
    await requestReauthentication(ctx, await requireRequester(ctx, request), originOf(request))
    return {}
  })

  app.put('/user', async (request) => {
    const requester = await requireRequester(ctx, request)
    const body = new Body(request)
    const update = {
      email: readEmail(body),
      phone: readPhone(body),
      password: body.text('password'),
      currentPassword: body.text('current_password'),
      data: body.data('data'),
      nonce: body.text('nonce'),
      redirectTo: allowedRedirect(ctx, queryOf(request).redirect_to),
      codeChallenge: readCodeChallenge(body),
    }
    return renderUser(await updateUser(ctx, requester, update, originOf(request)))
  })
}
