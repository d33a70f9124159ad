import { refreshAccount } from '../payments/accounts/accounts.ts'
import { defineFunction } from './define.ts'
import { paymentStatus } from './payment-status.ts'

/** `check-stripe-status` → payment status (API-FN-05, DATA-34), as Stripe has it now; updates the profile's columns (DATA-03). */
export const checkStripeStatus = defineFunction({
  name: 'check-stripe-status',
  fields: {},
  run: async ({ person, services }) => paymentStatus(await refreshAccount(services, person)),
})
