import {
  priceMaxCents,
  promotionCodeForm,
  promotionCodeMaxLength,
  promotionMaxRedemptions,
} from '@ovation/contract/limits'
import { paymentTexts } from '@ovation/contract/texts/payments'
import { createPromotion } from '../payments/plans/promotion-codes.ts'
import { defineFunction } from './define.ts'
import { functionErrors } from './errors.ts'
import { oneOf, optionalInteger, optionalText, optionalUuid, text } from './fields.ts'

const fields = {
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
 * maxRedemptions?, expiresAt? (ISO)} → {success, promotionCode}: a discount on the creator's own plans.
 */
export const createPromotionCode = defineFunction({
  name: 'create-promotion-code',
  requires: 'approved-creator',
  fields,
  run: async ({ person, input, services }) => {
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
