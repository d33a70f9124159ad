import { paymentTexts } from '@ovation/contract/texts/payments'
import Stripe from 'stripe'
import { attachAccount, refreshAccount, syncAccount } from '../payments/accounts/accounts.ts'
import { verifyConnectState } from '../payments/accounts/connect-state.ts'
import { paymentErrors } from '../payments/errors.ts'
import { defineFunction } from './define.ts'
import { functionErrors } from './errors.ts'
import { text } from './fields.ts'
import { paymentStatus } from './payment-status.ts'

/**
 * `handle-stripe-connect-callback` {code, state} → payment status (API-FN-07): completes what `create-stripe-connect-url` began. The state
 * must have been created for this user; the code is Stripe's proof, and works once.
 */
export const handleStripeConnectCallback = defineFunction({
  name: 'handle-stripe-connect-callback',
  fields: {
    code: text({ label: 'The code', max: 500 }),
    state: text({ label: 'The state', max: 500 }),
  },
  run: async ({ person, input, services }) => {
    if (!verifyConnectState(services.secrets.jwtSecret, person.userId, input.state)) {
      throw functionErrors.invalidField('state', paymentTexts.connectStateInvalid)
    }
    const present = await refreshAccount(services, person)
    const accountId = await redeem(services.stripe.api, input.code)
    if (present.accountId !== null && present.accountId !== accountId) throw paymentErrors.accountOther()
    await attachAccount(services, person, accountId)
    return paymentStatus(await syncAccount(services, accountId))
  },
})

async function redeem(api: Stripe, code: string): Promise<string> {
  try {
    const { stripe_user_id: accountId } = await api.oauth.token({ grant_type: 'authorization_code', code })
    if (accountId) return accountId
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidGrantError)) throw error
  }
  throw functionErrors.invalidField('code', paymentTexts.connectCodeInvalid)
}
