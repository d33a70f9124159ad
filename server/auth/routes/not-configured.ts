import type { FastifyInstance } from 'fastify'
import { Body } from '../body.ts'
import type { AuthContext } from '../context.ts'
import { authErrors } from '../errors.ts'
import { requireRequester } from '../requester.ts'
import { queryOf } from './query.ts'

/** Ways to sign in that this installation has not set up: each refusal carries the client's own code, never a 404 (API-AUTH-29, D44). */
export function notConfiguredRoutes(app: FastifyInstance, ctx: AuthContext) {
  app.post('/otp', async (request) => {
    if (new Body(request).text('phone')) throw authErrors.phoneDisabled()
    throw authErrors.disabled('otp_disabled', 'Sign-in by a code or link alone is not enabled')
  })
  app.post('/sso', async () => {
    throw authErrors.disabled('saml_provider_disabled', 'SAML 2.0 is disabled')
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
      throw authErrors.disabled('identity_not_found', 'Identity does not exist')
    }
    throw authErrors.disabled('single_identity_not_deletable', 'User must have at least 1 identity after unlinking')
  })
  factorRoutes(app, ctx)
  app.all('/passkeys*', async () => {
    throw authErrors.providerDisabled('Sign-in with a passkey')
  })
  app.all('/oauth/*', async () => {
    throw authErrors.providerDisabled('The OAuth server')
  })
}

const factorTypes = ['totp', 'phone', 'webauthn'] as const

function factorRoutes(app: FastifyInstance, ctx: AuthContext) {
  app.post('/factors', async (request) => {
    await requireRequester(ctx, request)
    const wish = new Body(request).text('factor_type')
    const type = factorTypes.find((known) => known === wish)
    if (!type) throw authErrors.validationFailed('factor_type needs to be totp, phone, or webauthn')
    throw authErrors.disabled(`mfa_${type}_enroll_not_enabled`, `MFA enroll is disabled for ${type}`)
  })
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/factors/*',
    handler: async (request) => {
      await requireRequester(ctx, request)
      throw authErrors.disabled('mfa_factor_not_found', 'MFA factor with that ID not found')
    },
  })
}

function providerName(provider: string | undefined): string {
  return provider ? `Provider ${JSON.stringify(provider)}` : 'Sign-in with another service'
}
