import { withCustomer } from '../payments/cards/customers.ts'
import { defineFunction } from './define.ts'
import { returnField, returnUrl } from './return-path.ts'

/**
 * `create-portal-session` {returnPath?} → {url} (API-FN-15, D40): the provider's page on which a user manages cards, subscriptions,
 * and invoices. It works for some minutes, for this user only.
 */
export const createPortalSession = defineFunction({
  name: 'create-portal-session',
  fields: { returnPath: returnField },
  run: async ({ person, input, services, siteOrigin }) => {
    const return_url = returnUrl(siteOrigin, input.returnPath)
    const { url } = await withCustomer(services, person, (customer) =>
      services.stripe.api.billingPortal.sessions.create({ customer, return_url }),
    )
    return { url }
  },
})
