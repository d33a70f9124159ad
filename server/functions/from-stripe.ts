import Stripe from 'stripe'
import { type FunctionError, functionErrors } from './errors.ts'

/** What a failure of the payment provider means to the person who called; undefined: it is no failure of the provider. */
export function fromStripe(error: unknown): FunctionError | undefined {
  if (!(error instanceof Stripe.errors.StripeError)) return undefined
  // Stripe says it in words alone, without a code.
  if (/signed up for Connect|review the responsibilities of managing losses/i.test(error.message)) {
    return functionErrors.connectNotEnabled(error)
  }
  const refused =
    error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError
  // Down, slow, limiting us, or refusing our key: nothing the caller could change.
  return refused ? functionErrors.providerRefused(error.message, error) : functionErrors.providerUnavailable(error)
}
