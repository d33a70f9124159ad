import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import { recordPayment } from '../checkout/record-payment.ts'
import { type AttemptId, intentParams, rememberPayment, type SinglePayment } from '../checkout/single-payment.ts'
import { paymentErrors } from '../errors.ts'
import { askOnce, isBusy } from '../idempotency.ts'
import type { Payments } from '../payments.ts'
import { type Payer, withCustomer } from './customers.ts'
import type { SavedCard } from './saved-cards.ts'

/** The result of a one-click purchase: the payment, or why the checkout page has to open. */
export type OneClick = { readonly paymentId: string } | { readonly reason: 'authentication_required' | 'card_declined' }

/**
 * Pays with a saved card, and books the payment before it returns. If the process dies in between, the webhook books it.
 * @param previous the last payment for the same thing, so that two clicks see the same state and make one charge.
 * @param attemptId clicks of one attempt make one charge, whatever happened in between.
 */
export async function payByOneClick(
  payments: Payments,
  fan: Payer,
  payment: SinglePayment,
  card: Pick<SavedCard, 'id'>,
  previous: string | undefined,
  attemptId: AttemptId = null,
): Promise<OneClick> {
  try {
    const { id } = await withCustomer(payments, fan, (customer) => {
      const params: Stripe.PaymentIntentCreateParams = {
        amount: payment.amountCents,
        currency: 'usd',
        customer,
        payment_method: card.id,
        allowed_payment_method_types: ['card'],
        confirm: true,
        // There is no page for a bank's confirmation here; the checkout page has one.
        error_on_requires_action: true,
        ...intentParams(payments, fan, payment),
      }
      const key = createHash('sha256')
        .update(JSON.stringify([params, attemptId ?? previous ?? null]))
        .digest('hex')
      return askOnce(
        `one-click:${key}`,
        (idempotencyKey) => payments.stripe.api.paymentIntents.create(params, { idempotencyKey }),
        // A declined card isn't charged again automatically: the fan continues on the page.
        { isOld: (error) => !(error instanceof Stripe.errors.StripeCardError) },
      )
    })
    await rememberPayment(payments, fan, payment, { id, url: null, attemptId })
    await recordPayment(payments, id)
    return { paymentId: id }
  } catch (error) {
    if (isBusy(error) || isSilence(error)) throw paymentErrors.paymentPending(error)
    if (!(error instanceof Stripe.errors.StripeCardError)) throw error
    return { reason: error.code === 'authentication_required' ? 'authentication_required' : 'card_declined' }
  }
}

/** The request was sent, but its outcome is unknown. A request that never arrived has charged nothing. */
function isSilence(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return false
  if (error instanceof Stripe.errors.StripeConnectionError)
    return !/ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(String(error.detail))
  return (error.statusCode ?? 0) >= 500
}
