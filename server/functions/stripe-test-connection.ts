import { modeOf } from '../payments/stripe.ts'
import { defineFunction } from './define.ts'

/**
 * `stripe-test-connection` → {success, message, status} (API-FN-12): whether the payment provider accepts our key. It
 * shows the kind of the key, never the key.
 */
export const stripeTestConnection = defineFunction({
  name: 'stripe-test-connection',
  requires: 'tester',
  fields: {},
  run: async ({ services }) => {
    const { config, stripe } = services
    // The product depends on connected accounts; a key that may list them may do the rest.
    await stripe.api.accounts.list({ limit: 1 })
    return {
      success: true,
      message: stripe.mode === 'sandbox' ? 'Connected to the payment sandbox' : 'Connected to Stripe',
      status: {
        environment: {
          STRIPE_SECRET_KEY: config.stripe.secretKey !== undefined,
          STRIPE_WEBHOOK_SECRET: config.stripe.webhookSecret !== undefined,
          STRIPE_CLIENT_ID: config.stripe.clientId !== undefined,
        },
        mode: modeOf(config.stripe.secretKey),
        key_prefix: config.stripe.secretKey?.slice(0, 7) ?? null,
        timestamp: new Date().toISOString(),
      },
    }
  },
})
