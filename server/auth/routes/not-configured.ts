import type { FastifyInstance } from 'fastify'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { requireRequester } from '../requester.ts'
import { queryOf } from './query.ts'

/** Ways to sign in that this installation has not set up: each refusal carries the client's own code, never a 404 (API-AUTH-29, D44). */
export function notConfiguredRoutes(app: FastifyInstance, ctx: AuthContext) {
  app.all('/sso*', async () => {
    throw authErrors.samlDisabled()
  })
  app.all('/callback', async () => {
    throw authErrors.providerDisabled('Sign-in with another service')
  })
  app.get('/authorize', async (request) => {
    throw authErrors.providerDisabled(providerName(queryOf(request).provider))
  })
  app.get('/user/identities/authorize', async (request) => {
    await requireRequester(ctx, request)
    throw authErrors.providerDisabled(providerName(queryOf(request).provider))
  })
  app.delete<{ Params: { id: string } }>('/user/identities/:id', async (request) => {
    const { account } = await requireRequester(ctx, request)
    if (!account.identities.some(({ id }) => id === request.params.id)) {
      throw authErrors.identityNotFound()
    }
    throw authErrors.singleIdentity()
  })
  for (const path of ['/oauth/*', '/user/oauth/*']) {
    app.all(path, async () => {
      throw authErrors.providerDisabled('The OAuth server')
    })
  }
}

function providerName(provider: string | undefined): string {
  return provider ? `Provider ${JSON.stringify(provider)}` : 'Sign-in with another service'
}
