import type { FastifyInstance } from 'fastify'
import type { AuthContext } from '../context.ts'
import { describeServer } from '../oauth-server/discovery.ts'

/** Information about auth/v1: `/settings`, `/health`, the key set (API-AUTH-23, AUTH-29). */
export function infoRoutes(app: FastifyInstance, { config, tokens, sms, siteUrl }: AuthContext) {
  app.get('/settings', async () => ({
    external: {
      email: true,
      phone: sms !== undefined,
      anonymous_users: config.auth.anonymousUsers,
      ...Object.fromEntries(
        [...providers, ...config.auth.providers.keys()].map((name) => [name, config.auth.providers.has(name)]),
      ),
      web3_ethereum: config.auth.wallets.ethereum,
      web3_solana: config.auth.wallets.solana,
    },
    disable_signup: config.auth.disableSignup,
    mailer_autoconfirm: config.auth.mailerAutoconfirm,
    phone_autoconfirm: config.auth.sms.autoconfirm,
    sms_provider: smsProvider(config.auth.sms),
    passkeys_enabled: config.auth.passkeys,
    saml_enabled: config.auth.saml.enabled,
    /** Not in GoTrue: the admin panel uses it to explain the empty list of an admin at aal1. */
    mfa_required_for_admins: config.auth.mfa.requiredForAdmins,
    /** Not in GoTrue: the web app lists connected apps only if there can be some. */
    oauth_server_enabled: config.auth.oauthServer.enabled,
  }))

  app.get('/health', async () => ({
    version: 'v1',
    name: 'auth',
    description: `${config.operator.productName} accounts and sessions`,
  }))

  app.get('/.well-known/openid-configuration', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=600')
    if (config.auth.oauthServer.enabled) return describeServer({ config, tokens, siteUrl })
    const issuer = `${siteUrl()}/auth/v1`
    return {
      issuer,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/user`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: tokens.publicKeys.keys.flatMap(({ alg }) => alg ?? []),
      code_challenge_methods_supported: ['S256', 'plain'],
      claims_supported: [
        'sub',
        'aud',
        'iss',
        'exp',
        'iat',
        'email',
        'phone',
        'role',
        'aal',
        'amr',
        'session_id',
        'is_anonymous',
      ],
    }
  })

  app.get('/.well-known/jwks.json', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=600')
    return tokens.publicKeys
  })
}

function smsProvider({ hook, twilio }: AuthContext['config']['auth']['sms']): string {
  if (hook) return 'hook'
  return twilio ? 'twilio' : ''
}

const providers = ['apple', 'github', 'google'] as const
