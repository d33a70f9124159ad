import {
  intervals,
  planBenefitMaxLength,
  planBenefitsMax,
  priceMaxCents,
  productDescriptionMaxLength,
  productMinPriceCents,
  productNameMaxLength,
  trialMaxDays,
} from '@ovation/contract/limits'
import { paymentTexts } from '@ovation/contract/texts/payments'
import { paymentErrors } from '../payments/errors.ts'
import { createPlan } from '../payments/plans/create-plan.ts'
import { defineFunction } from './define.ts'
import { integer, oneOf, optionalInteger, optionalText, optionalTexts, text } from './fields.ts'
import { planTerms } from './plan-terms.ts'

const missing = paymentTexts.requiredFields // PROD-03

/** The fields of a plan that can be changed later. */
export const planWords = {
  name: text({ label: 'The name', max: productNameMaxLength, missing }),
  description: optionalText({ label: 'The description', max: productDescriptionMaxLength }),
  benefits: optionalTexts({
    label: 'The benefits',
    each: 'A benefit',
    max: planBenefitsMax,
    maxLength: planBenefitMaxLength,
  }),
  trial_days: optionalInteger({ label: 'The free trial in days', min: 0, max: trialMaxDays }),
  terms: planTerms,
}

export const planPrice = integer({
  label: 'The price in cents',
  missing,
  min: productMinPriceCents,
  max: priceMaxCents,
  tooSmall: paymentTexts.priceTooLow,
  tooLarge: paymentTexts.priceTooHigh,
})

const fields = {
  ...planWords,
  price_cents: planPrice,
  interval: oneOf(intervals, { label: 'The interval', missing }),
}

/**
 * `create-subscription-product` {name, description?, price_cents, interval, trial_days?, benefits?, terms?: [{months, percent_off}]}
 * → {success, product} (API-FN-03, PROD, LOOP-15, OFFER-01).
 */
export const createSubscriptionProduct = defineFunction({
  name: 'create-subscription-product',
  requires: 'seller',
  fields,
  run: async ({ person, input, services }) => {
    if (input.terms?.length && input.interval !== 'month') throw paymentErrors.termsNeedMonths()
    const product = await createPlan(services, person, {
      name: input.name,
      description: input.description,
      priceCents: input.price_cents,
      interval: input.interval,
      trialDays: input.trial_days ?? 0,
      benefits: input.benefits ?? [],
      terms: input.terms ?? [],
    })
    return { success: true, product }
  },
})
