import { tipMaxCents, tipMinCents } from '@ovation/contract/limits'
import { paymentTexts } from '@ovation/contract/texts/payments'
import { payAccount } from '../payments/checkout/pay-account.ts'
import { defineFunction } from './define.ts'
import { integer, optionalText, text } from './fields.ts'

/**
 * `create-marketplace-payment` {amountInCents, sellerAccountId, paymentMethodId, description?} → {success, paymentId, amountCents, feeCents,
 * netCents} (API-FN-14, TEST-05): pays a creator by the id of their account at the provider, with a given card. The ledger
 * books it as a tip.
 */
export const createMarketplacePayment = defineFunction({
  name: 'create-marketplace-payment',
  requires: 'tester',
  fields: {
    amountInCents: integer({
      label: 'The amount in cents',
      min: tipMinCents,
      max: tipMaxCents,
      tooSmall: paymentTexts.tipRange,
      tooLarge: paymentTexts.tipRange,
    }),
    sellerAccountId: text({ label: "The seller's account", max: 255 }),
    paymentMethodId: text({ label: 'The payment method', max: 255 }),
    description: optionalText({ label: 'The description', max: 500 }),
  },
  run: async ({ person, input, services }) => {
    return { success: true, ...(await payAccount(services, person, input)) }
  },
})
