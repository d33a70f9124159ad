import {
  type Interval,
  planBenefitMaxLength,
  planBenefitsMax,
  priceMaxCents,
  productMinPriceCents,
  trialMaxDays,
} from '@ovation/contract/limits'
import { subscriptionProductsTexts } from '@ovation/contract/texts/subscription-products'
import { centsOf } from '../../lib/format/cents-of.ts'

const { errors } = subscriptionProductsTexts

export type ProductValues = {
  name: string
  description: string
  /** In dollars; may be empty or invalid while typing. */
  price: number | string
  interval: Interval
  trialDays: number | string
  /** One per line. */
  benefits: string
}

/** Maps field names of the functions' bodies to form fields. */
export const fieldOf: Readonly<Record<string, keyof ProductValues>> = {
  name: 'name',
  description: 'description',
  price_cents: 'price',
  interval: 'interval',
  trial_days: 'trialDays',
  benefits: 'benefits',
}

/** The part of a body that can change later. An empty description is omitted (PROD-04). */
export const editableBody = ({
  name,
  description,
  trialDays,
  benefits,
}: Pick<ProductValues, 'name' | 'description' | 'trialDays' | 'benefits'>) => ({
  name: name.trim(),
  ...(description.trim() && { description: description.trim() }),
  trial_days: Number(trialDays),
  benefits: benefitsOf(benefits),
})

/** The lines as typed, without blank ones. */
export const benefitsOf = (typed: string): string[] =>
  typed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export function wrongWithBenefits(typed: string): string | null {
  const benefits = benefitsOf(typed)
  if (benefits.length > planBenefitsMax) return errors.benefitsMany
  return benefits.some((benefit) => [...benefit].length > planBenefitMaxLength) ? errors.benefitLong : null
}

export const wrongWithName = (name: string): string | null => (name.trim() ? null : errors.name)

export function wrongWithPrice(price: number | string): string | null {
  const cents = centsOf(price)
  if (price === '' || Number.isNaN(cents)) return errors.price
  if (cents < productMinPriceCents) return errors.priceLow
  return cents > priceMaxCents ? errors.priceHigh : null
}

export function wrongWithTrial(days: number | string): string | null {
  const number = Number(days)
  return days !== '' && Number.isInteger(number) && number >= 0 && number <= trialMaxDays ? null : errors.trial
}
