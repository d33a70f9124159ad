import { promotionCodeMaxLength } from '@ovation/contract/limits'
import { takeWrites } from '../http/write-limits.ts'
import { priceWithPromotion } from '../payments/plans/promotion-codes.ts'
import { defineFunction } from './define.ts'
import { text, uuid } from './fields.ts'

/** `check-promotion-code` {productId, code} → {code, priceCents, discountedCents, duration, durationMonths}: the price with it. */
export const checkPromotionCode = defineFunction({
  name: 'check-promotion-code',
  fields: { productId: uuid({ label: 'The plan' }), code: text({ label: 'The code', max: promotionCodeMaxLength }) },
  run: async ({ person, input, services }) => {
    await takeWrites(services.rateLimits, services.config.writeLimits, 'promotion_codes', person.userId)
    return priceWithPromotion(services, person.profileId, input.productId, input.code)
  },
})
