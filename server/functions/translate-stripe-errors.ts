import Stripe from 'stripe'
import { type FunctionError, functionErrors } from './errors.ts'

/** What a failure of the payment provider means for the caller; undefined for any other error. */
export function fromStripe(error: unknown): FunctionError | undefined {
  if (!(error instanceof Stripe.errors.StripeError)) return undefined
  // Stripe says it only in the message, without a code.
  if (/signed up for Connect|review the responsibilities of managing losses/i.test(error.message)) {
    return functionErrors.connectNotEnabled(error)
  }
  const refused =
    error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError
  // Down, slow, rate-limiting us, or rejecting our key: nothing the caller could change.
  return refused ? functionErrors.providerRefused(error.message, error) : functionErrors.providerUnavailable(error)
}
