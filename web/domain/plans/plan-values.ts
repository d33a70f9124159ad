import {
  type Interval,
  planBenefitMaxLength,
  planBenefitsMax,
  priceMaxCents,
  productMinPriceCents,
  trialMaxDays,
} from '@ovation/contract/limits'
import { type TermMonths, termMaxPercentOff, termMonths } from '@ovation/contract/plan-terms'
import { planTermsTexts } from '@ovation/contract/texts/plan-terms'
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
} & TermValues

/** What a term costs less, in percent; empty if it isn't sold (OFFER-01). */
export type TermValues = Record<`term${TermMonths}`, number | string>

export const noTerms: TermValues = { term3: '', term6: '', term12: '' }

/** The terms of a plan as the form has them. */
export const termValuesOf = (terms: readonly { months: number; percent_off: number }[]): TermValues => ({
  ...noTerms,
  ...Object.fromEntries(terms.map(({ months, percent_off }) => [`term${months}`, percent_off])),
})

/** The terms that are sold, as the functions take them. */
export const termsBody = (values: TermValues): { months: TermMonths; percent_off: number }[] =>
  termMonths.flatMap((months) => {
    const percentOff = values[`term${months}`]
    return percentOff === '' ? [] : [{ months, percent_off: Number(percentOff) }]
  })

export function wrongWithTerm(percentOff: number | string): string | null {
  const number = Number(percentOff)
  return percentOff === '' || (Number.isInteger(number) && number >= 0 && number <= termMaxPercentOff)
    ? null
    : planTermsTexts.form.error
}

/** The rules of the terms' fields. */
export const termRules = { term3: wrongWithTerm, term6: wrongWithTerm, term12: wrongWithTerm } as const

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
