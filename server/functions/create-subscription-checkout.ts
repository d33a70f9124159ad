import { takeWrites } from '../http/write-limits.ts'
import { startSubscriptionCheckout } from '../payments/checkout/start-checkout.ts'
import { defineFunction } from './define.ts'
import { optionalText, uuid } from './fields.ts'

/** `create-subscription-checkout` {productId, promotionCode?} → {url} of the checkout page (API-FN-02, SUB-01). */
export const createSubscriptionCheckout = defineFunction({
  name: 'create-subscription-checkout',
  fields: {
    productId: uuid({ label: 'The plan' }),
    promotionCode: optionalText({ label: 'The code', max: 30 }),
  },
  run: async ({ person, input, db, services, siteOrigin }) => {
    if (input.promotionCode !== null)
      await takeWrites(services.rateLimits, services.config.writeLimits, 'promotion_codes', person.userId)
    return { url: await startSubscriptionCheckout(services, db, person, input, siteOrigin) }
  },
})
