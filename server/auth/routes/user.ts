import type { FastifyInstance } from 'fastify'
import { Body } from '../body.ts'
import type { AuthContext } from '../context.ts'
import { readEmail } from '../email.ts'
import { authErrors } from '../errors.ts'
import { allowedRedirect } from '../redirects.ts'
import { renderUser } from '../render-user.ts'
import { requireRequester } from '../requester.ts'
import { updateUser } from '../update-user.ts'
import { visitorOf } from '../visitor.ts'
import { queryOf } from './query.ts'

/** `GET /user`, `PUT /user` (API-AUTH-12, 13). */
export function userRoutes(app: FastifyInstance, ctx: AuthContext) {
  app.get('/user', async (request) => renderUser((await requireRequester(ctx, request)).account))

  app.put('/user', async (request) => {
    const requester = await requireRequester(ctx, request)
    const body = new Body(request)
    if (body.text('phone')) throw authErrors.phoneDisabled()
    const update = {
      email: readEmail(body),
      password: body.text('password'),
      currentPassword: body.text('current_password'),
      data: body.data('data'),
      redirectTo: allowedRedirect(ctx, queryOf(request).redirect_to),
    }
    return renderUser(await updateUser(ctx, requester, update, visitorOf(request)))
  })
}
