import type { FastifyPluginAsync } from 'fastify'
import type { DoorOptions } from '../services.ts'

/** `GET /app-config.json`: what the web app has to know before its first request. All of it is public. */
export const appConfigRoute: FastifyPluginAsync<DoorOptions> = async (app, { services: { config, secrets } }) => {
  app.get('/app-config.json', async (_request, reply) => {
    reply.header('Cache-Control', 'no-cache')
    return {
      supabaseUrl: '',
      anonKey: secrets.anonKey,
      name: config.operator.productName,
      environment: config.environment,
      stripeMode: stripeMode(config.stripe.secretKey),
      operator: {
        name: config.operator.name,
        address: config.operator.address,
        jurisdiction: config.operator.jurisdiction,
        supportEmail: config.operator.supportEmail,
      },
    }
  })
}

function stripeMode(secretKey: string | undefined): 'sandbox' | 'test' | 'live' {
  if (secretKey === undefined) return 'sandbox'
  return /^[sr]k_live_/.test(secretKey) ? 'live' : 'test'
}
