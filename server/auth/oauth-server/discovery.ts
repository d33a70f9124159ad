import type { FastifyPluginAsync } from 'fastify'
import type { ApiOptions } from '../../http/api.ts'
import type { Services } from '../services.ts'
import { authMethods, grantTypes } from './clients.ts'
import { issuerOf } from './redirect-address.ts'
import { knownScopes } from './scopes.ts'

/** The server's metadata for applications (RFC 8414, OpenID Connect Discovery). */
export function describeServer({ config, tokens, siteUrl }: Pick<Services, 'config' | 'tokens' | 'siteUrl'>) {
  const issuer = issuerOf({ siteUrl })
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    userinfo_endpoint: `${issuer}/oauth/userinfo`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    ...(config.auth.oauthServer.dynamicRegistration && { registration_endpoint: `${issuer}/oauth/clients/register` }),
    scopes_supported: knownScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypes,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: tokens.publicKeys.keys.flatMap(({ alg }) => alg ?? []),
    token_endpoint_auth_methods_supported: authMethods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    claims_supported: [
      'sub',
      'aud',
      'iss',
      'exp',
      'iat',
      'nonce',
      'email',
      'email_verified',
      'phone_number',
      'phone_number_verified',
      'name',
      'preferred_username',
      'picture',
    ],
  }
}

/** Where applications look at the origin: with the issuer's path after the name (RFC 8414 section 3.1), and without. */
export const oauthDiscoveryRoutes: FastifyPluginAsync<ApiOptions<Services>> = async (app, { services }) => {
  if (!services.config.auth.oauthServer.enabled) return
  for (const name of ['oauth-authorization-server', 'openid-configuration']) {
    for (const path of ['', '/auth/v1']) {
      app.get(`/.well-known/${name}${path}`, async (_request, reply) => {
        reply.header('cache-control', 'public, max-age=600')
        return describeServer(services)
      })
    }
  }
}
