import type { FastifyPluginAsync } from 'fastify'
import type { ApiOptions } from './api.ts'
import { compressedAnswers } from './compress.ts'
import type { Services } from './services.ts'

/** `GET /app-config.json`: what the web app must know before its first request. All of it is public. */
export const appConfigRoute: FastifyPluginAsync<ApiOptions<Services>> = async (app, { services }) => {
  await app.register(compressedAnswers, { compressor: services.compressor })
  app.get('/app-config.json', async (_request, reply) => {
    reply.header('Cache-Control', 'no-cache')
    return describeApp(services)
  })
}

/** What the web app must know before its first request. */
export function describeApp({ config, secrets, stripe }: Pick<Services, 'config' | 'secrets' | 'stripe'>) {
  return {
    supabaseUrl: '',
    filesUrl: config.filesUrl ?? '',
    anonKey: secrets.anonKey,
    pushKey: secrets.vapidPublicKey,
    name: config.operator.productName,
    environment: config.environment,
    stripeMode: stripe.mode,
    feePercent: config.platformFeePercent,
    hasCustomDomains: config.customDomains,
    operator: {
      name: config.operator.name,
      address: config.operator.address,
      jurisdiction: config.operator.jurisdiction,
      supportEmail: config.operator.supportEmail,
    },
  }
}

/**
 * `GET /manifest.webmanifest`: the manifest with which phones and computers install the app. It isn't a static file: its name is the
 * operator's.
 */
export const manifestRoute: FastifyPluginAsync<ApiOptions<Services>> = async (app, { services: { config } }) => {
  app.get('/manifest.webmanifest', async (_request, reply) => {
    reply.header('Cache-Control', 'no-cache').type('application/manifest+json')
    const { productName } = config.operator
    return {
      id: '/',
      name: productName,
      short_name: productName.slice(0, 12),
      start_url: '/',
      scope: '/',
      display: 'standalone',
      background_color: '#faf7f2',
      theme_color: '#faf7f2',
      icons: [
        { src: '/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
        { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
        { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      ],
      shortcuts: [
        { name: 'Notifications', url: '/notifications' },
        { name: 'Explore', url: '/explore' },
      ],
    }
  })
}
