import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import { recordPayment } from '../checkout/record-payment.ts'
import { type AttemptId, intentParams, rememberPayment, type SinglePayment } from '../checkout/single-payment.ts'
import { paymentErrors } from '../errors.ts'
import { askOnce, isBusy } from '../idempotency.ts'
import type { Payments } from '../payments.ts'
import { type Payer, withCustomer } from './customers.ts'
import type { SavedCard } from './saved-cards.ts'

/** How a purchase by one click ended: paid, by this payment; or why the checkout page has to ask. */
export type OneClick = { readonly paymentId: string } | { readonly reason: 'authentication_required' | 'card_declined' }

/**
 * Pays with a saved card. It is booked before this answers; when the process dies in between, the webhook books it.
 * @param previous the last payment of this purpose: two clicks see the same past, and make one charge.
 * @param attemptId presses of one attempt make one charge, whatever happened in between.
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
        // No page is open on which a bank could ask: the checkout's will be.
        error_on_requires_action: true,
        ...intentParams(payments, fan, payment),
      }
      const key = createHash('sha256')
        .update(JSON.stringify([params, attemptId ?? previous ?? null]))
        .digest('hex')
      return askOnce(
        `one-click:${key}`,
        (idempotencyKey) => payments.stripe.api.paymentIntents.create(params, { idempotencyKey }),
        // A card that was declined is not charged again by itself: the fan goes on to the page.
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

/** The request was sent, and whether it was carried out is not known. One that never got there has charged nothing. */
function isSilence(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return false
  if (error instanceof Stripe.errors.StripeConnectionError)
    return !/ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(String(error.detail))
  return (error.statusCode ?? 0) >= 500
}
