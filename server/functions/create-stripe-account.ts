import { payoutCountryCodes } from '@ovation/contract/countries'
import { paymentTexts } from '@ovation/contract/texts/payments'
import { openAccount } from '../payments/accounts/accounts.ts'
import { defineFunction } from './define.ts'
import { optionalOneOf } from './fields.ts'
import { paymentStatus } from './payment-status.ts'

const fields = { country: optionalOneOf(payoutCountryCodes, { label: 'The country' }) }

/**
 * `create-stripe-account` {country} → payment status (DATA-34) and `already_exists` (API-FN-06, ONB-17). An existing account is returned, and
 * keeps its country. Without `country`, the account is in the platform's.
 * The error of a platform without Connect carries `message`, `instructions` and `learn_more_url` (ONB-18).
 */
export const createStripeAccount = defineFunction({
  name: 'create-stripe-account',
  fields,
  run: async ({ person, input, services }) => {
    const { isNew, ...status } = await openAccount(services, person, input.country)
    return {
      ...paymentStatus(status),
      already_exists: !isNew,
      ...(!isNew && { message: paymentTexts.accountExists }),
    }
  },
})
