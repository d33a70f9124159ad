import { modeOf } from '../payments/stripe.ts'
import { defineFunction } from './define.ts'
import { requireTester } from './require-tester.ts'

/**
 * `stripe-test-connection` → {success, message, status} (API-FN-12): whether the payment provider answers our key. For admins, and
 * outside production for every signed-in person (D42). The key's kind is told, the key never.
 */
export const stripeTestConnection = defineFunction({
  name: 'stripe-test-connection',
  fields: {},
  run: async ({ person, services }) => {
    requireTester(services, person)
    const { config, stripe } = services
    // Connected accounts are what the product depends on; a key that may list them may do the rest.
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
