import { paymentTexts } from '@ovation/contract/texts/payments'
import { functionErrors } from './errors.ts'
import type { Field } from './fields.ts'

/** An origin, for example `https://ovation.example`; a path after it is cut off. `requireOwnOrigin` decides whether it is ours. */
export const originField: Field<string> = (value, name) => {
  if (typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value)) return new URL(value).origin
  throw functionErrors.invalidField(name, paymentTexts.foreignOrigin)
}

/** Links that lead back from Stripe must lead to this site: no other may receive a user who has just onboarded. */
export function requireOwnOrigin(origin: string, siteOrigin: string): void {
  if (origin !== new URL(siteOrigin).origin) throw functionErrors.invalidField('origin', paymentTexts.foreignOrigin)
}
