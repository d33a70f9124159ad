import { paths } from '@ovation/contract/paths'
import { signConnectState } from '../payments/accounts/connect-state.ts'
import { paymentErrors } from '../payments/errors.ts'
import { defineFunction } from './define.ts'
import { originField, requireOwnOrigin } from './own-origin.ts'

/**
 * `create-stripe-connect-url` {origin} → {success, url} (API-FN-08): Stripe's page on which a user lets the platform use an existing
 * account. It leads back to Creator Setup with `stripe_connect=true`, `code` and `state` (ONB-05).
 */
export const createStripeConnectUrl = defineFunction({
  name: 'create-stripe-connect-url',
  fields: { origin: originField },
  run: async ({ person, input, services, siteOrigin }) => {
    requireOwnOrigin(input.origin, siteOrigin)
    const { stripe, secrets } = services
    if (stripe.clientId === undefined) throw paymentErrors.connectNotConfigured()
    const url = stripe.authorizeUrl(
      {
        state: signConnectState(secrets.jwtSecret, person.userId),
        redirectUri: `${input.origin}${paths.creatorOnboarding}?stripe_connect=true`,
      },
      siteOrigin,
    )
    return { success: true, url }
  },
})
