import type { FastifyInstance } from 'fastify'
import type { AuthContext } from '../context.ts'

/** What auth/v1 says about itself: `/settings`, `/health`, the key set (API-AUTH-23, AUTH-29). */
export function infoRoutes(app: FastifyInstance, { config, tokens }: AuthContext) {
  app.get('/settings', async () => ({
    external: {
      email: true,
      phone: false,
      anonymous_users: false,
      ...Object.fromEntries(providers.map((p) => [p, false])),
    },
    disable_signup: config.auth.disableSignup,
    mailer_autoconfirm: config.auth.mailerAutoconfirm,
    phone_autoconfirm: false,
    sms_provider: '',
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

const providers = ['apple', 'github', 'google'] as const
