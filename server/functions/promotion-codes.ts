import {
  priceMaxCents,
  promotionCodeForm,
  promotionCodeMaxLength,
  promotionMaxRedemptions,
} from '@ovation/contract/limits'
import { paymentTexts } from '@ovation/contract/texts/payments'
import { takeWrites } from '../http/write-limits.ts'
import { paymentErrors } from '../payments/errors.ts'
import {
  createPromotion,
  discounted,
  listPromotions,
  requirePromotion,
  retirePromotion,
} from '../payments/plans/promotion-codes.ts'
import { defineFunction } from './define.ts'
import { functionErrors } from './errors.ts'
import { oneOf, optionalInteger, optionalText, optionalUuid, text, uuid } from './fields.ts'

const promotionFields = {
  code: text({ label: 'The code', max: promotionCodeMaxLength }),
  productId: optionalUuid({ label: 'The plan' }),
  percentOff: optionalInteger({ label: 'The percentage', min: 1, max: 100 }),
  amountOffCents: optionalInteger({ label: 'The amount in cents', min: 1, max: priceMaxCents }),
  duration: oneOf(['once', 'repeating', 'forever'], { label: 'The duration' }),
  durationMonths: optionalInteger({ label: 'The number of months', min: 1, max: 36 }),
  maxRedemptions: optionalInteger({ label: 'The number of redemptions', min: 1, max: promotionMaxRedemptions }),
  expiresAt: optionalText({ label: 'The last day', max: 40 }),
}

/**
 * `create-promotion-code` {code, productId? (all plans), percentOff | amountOffCents, duration (once, repeating, forever), durationMonths?,
 * maxRedemptions?, expiresAt? (ISO)} → {success, promotionCode}: for creators, on their own plans.
 */
export const createPromotionCode = defineFunction({
  name: 'create-promotion-code',
  fields: promotionFields,
  run: async ({ person, input, services }) => {
    if (!person.isApprovedCreator) throw paymentErrors.approvedCreatorsOnly()
    const code = input.code.toUpperCase()
    if (!promotionCodeForm.test(code)) throw functionErrors.invalidField('code', paymentTexts.promotionForm)
    if ((input.percentOff === null) === (input.amountOffCents === null))
      throw functionErrors.invalidField('percentOff', 'Specify either percentOff or amountOffCents')
    if ((input.duration === 'repeating') !== (input.durationMonths !== null))
      throw functionErrors.invalidField(
        'durationMonths',
        'Specify durationMonths for a repeating discount, and only then',
      )
    const expiresAt = input.expiresAt === null ? null : new Date(input.expiresAt)
    if (expiresAt && !(expiresAt.getTime() > Date.now()))
      throw functionErrors.invalidField('expiresAt', 'The last day must be in the future')
    return {
      success: true,
      promotionCode: await createPromotion(services, person.profileId, { ...input, code, expiresAt }),
    }
  },
})

/** `list-promotion-codes` → {promotionCodes}: the creator's own, newest first. */
export const listPromotionCodes = defineFunction({
  name: 'list-promotion-codes',
  fields: {},
  run: async ({ person, services }) => ({ promotionCodes: await listPromotions(services, person.profileId) }),
})

/** `retire-promotion-code` {id} → {success}: nobody can use it from now on; those who have keep what they were promised. */
export const retirePromotionCode = defineFunction({
  name: 'retire-promotion-code',
  fields: { id: uuid({ label: 'The code' }) },
  run: async ({ person, input, services }) => {
    await retirePromotion(services, person.profileId, input.id)
    return { success: true }
  },
})

/** `check-promotion-code` {productId, code} → {code, priceCents, discountedCents, duration, durationMonths}: what a plan costs with it. */
export const checkPromotionCode = defineFunction({
  name: 'check-promotion-code',
  fields: { productId: uuid({ label: 'The plan' }), code: text({ label: 'The code', max: promotionCodeMaxLength }) },
  run: async ({ person, input, services }) => {
    await takeWrites(services.rateLimits, services.config.writeLimits, 'promotion_codes', person.userId)
    const promotion = await requirePromotion(services, input.productId, input.code)
    const { code, priceCents, duration, durationMonths } = promotion
    return { code, priceCents, discountedCents: discounted(priceCents, promotion), duration, durationMonths }
  },
})
