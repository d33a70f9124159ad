import { takeWrites } from '../http/write-limits.ts'
import { startSubscriptionCheckout } from '../payments/checkout/start-checkout.ts'
import { defineFunction } from './define.ts'
import { optionalText, uuid } from './fields.ts'
import { intervalCount } from './plan-terms.ts'

/** `create-subscription-checkout` {productId, promotionCode?, intervalCount?} → {url} of the checkout page (API-FN-02, SUB-01, OFFER-01). */
export const createSubscriptionCheckout = defineFunction({
  name: 'create-subscription-checkout',
  fields: {
    productId: uuid({ label: 'The plan' }),
    promotionCode: optionalText({ label: 'The code', max: 30 }),
    intervalCount,
  },
  run: async ({ person, input, db, services, siteOrigin }) => {
    if (input.promotionCode !== null)
      await takeWrites(services.rateLimits, services.config.writeLimits, 'promotion_codes', person.userId)
    const { productId: planId, ...wanted } = input
    return { url: await startSubscriptionCheckout(services, db, person, { planId, ...wanted }, siteOrigin) }
  },
})
