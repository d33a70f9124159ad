import type { FastifyInstance } from 'fastify'
import type { GatewayError } from '../../http/errors.ts'
import { Body } from '../body.ts'
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
  factorRoutes(app, ctx)
  app.all('/passkeys*', async () => {
    throw authErrors.providerDisabled('Sign-in with a passkey')
  })
  for (const path of ['/oauth/*', '/user/oauth/*']) {
    app.all(path, async () => {
      throw authErrors.providerDisabled('The OAuth server')
    })
  }
}

const enrolments: ReadonlyMap<string, () => GatewayError> = new Map([
  ['totp', authErrors.totpDisabled],
  ['phone', authErrors.phoneFactorDisabled],
  ['webauthn', authErrors.webauthnDisabled],
])

function factorRoutes(app: FastifyInstance, ctx: AuthContext) {
  app.post('/factors', async (request) => {
    await requireRequester(ctx, request)
    const refuse = enrolments.get(new Body(request).text('factor_type') ?? '')
    throw refuse?.() ?? authErrors.validationFailed('factor_type needs to be totp, phone, or webauthn')
  })
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/factors/*',
    handler: async (request) => {
      await requireRequester(ctx, request)
      throw authErrors.factorNotFound()
    },
  })
}

function providerName(provider: string | undefined): string {
  return provider ? `Provider ${JSON.stringify(provider)}` : 'Sign-in with another service'
}
