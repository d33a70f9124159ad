import type { FastifyInstance } from 'fastify'
import type { AuthContext } from '../context.ts'

/** What auth/v1 says about itself: `/settings`, `/health`, the key set (API-AUTH-23, AUTH-29). */
export function infoRoutes(app: FastifyInstance, { config, tokens, sms }: AuthContext) {
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
    saml_enabled: false,
  }))

  app.get('/health', async () => ({
    version: 'v1',
    name: 'auth',
    description: `${config.operator.productName} accounts and sessions`,
  }))

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
