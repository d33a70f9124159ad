import { paymentTexts } from '@ovation/contract/texts/payments'
import { openAccount } from '../payments/accounts/accounts.ts'
import { defineFunction } from './define.ts'
import { paymentStatus } from './payment-status.ts'

/**
 * `create-stripe-account` → payment status (DATA-34) and `already_exists` (API-FN-06, ONB-17). An existing account is returned.
 * The error of a platform without Connect carries `message`, `instructions` and `learn_more_url` (ONB-18).
 */
export const createStripeAccount = defineFunction({
  name: 'create-stripe-account',
  fields: {},
  run: async ({ person, services }) => {
    const { isNew, ...status } = await openAccount(services, person)
    return {
      ...paymentStatus(status),
      already_exists: !isNew,
      ...(!isNew && { message: paymentTexts.accountExists }),
    }
  },
})
