import { createHash } from 'node:crypto'
import { paths, withoutPaying } from '@ovation/contract/paths'
import type Stripe from 'stripe'
import { type Payer, withCustomer } from '../cards/customers.ts'
import { paymentErrors } from '../errors.ts'
import { askOnce } from '../idempotency.ts'
import type { Payments } from '../payments.ts'
import { fulfillCheckout } from './fulfill-checkout.ts'
import type { CheckoutSession } from './pending-checkout.ts'
import {
  intentParams,
  isOpenSession,
  type KnownPayment,
  type OpenSession,
  rememberPayment,
  type SinglePayment,
} from './single-payment.ts'

/** Opens the checkout page of a payment. @param previous the last one for the same thing, so that two clicks get the same page. */
export async function createSession(
  payments: Payments,
  fan: Payer,
  payment: SinglePayment,
  siteOrigin: string,
  previous: string | undefined,
): Promise<CheckoutSession> {
  const { id, url } = await withCustomer(payments, fan, (customer) => {
    const params = pageParams(payments, fan, payment, siteOrigin, customer)
    // The same payment with the same history has the same key, so that Stripe returns one session to both clicks.
    const key = createHash('sha256')
      .update(JSON.stringify([params, previous ?? null]))
      .digest('hex')
    return askOnce(`payment:${key}`, (idempotencyKey) =>
      payments.stripe.api.checkout.sessions.create(params, { idempotencyKey }),
    )
  })
  if (!url) throw new Error(`checkout session ${id} has no page`)
  await rememberPayment(payments, fan, payment, { id, url })
  return { id, url }
}

function pageParams(
  payments: Payments,
  fan: Payer,
  payment: SinglePayment,
  siteOrigin: string,
  customer: string,
): Stripe.Checkout.SessionCreateParams {
  const { amountCents, title } = payment
  const intent = intentParams(payments, fan, payment)
  const { path, parameter } = returnTo(payment)
  return {
    mode: 'payment',
    customer,
    allowed_payment_method_types: ['card'],
    client_reference_id: fan.profileId,
    line_items: [
      { price_data: { currency: 'usd', unit_amount: amountCents, product_data: { name: title } }, quantity: 1 },
    ],
    // Not encoded: Stripe looks for the literal braces.
    success_url: `${siteOrigin}${path}${path.includes('?') ? '&' : '?'}${parameter}={CHECKOUT_SESSION_ID}`,
    cancel_url: `${siteOrigin}${withoutPaying(path)}`,
    // A card is saved for one-click purchases only if its holder ticks the box.
    saved_payment_method_options: { payment_method_save: 'enabled' },
    metadata: intent.metadata,
    payment_intent_data: intent,
  }
}

/** The screen on which the fan decided to pay, and the parameter that passes it the payment. */
function returnTo({ kind, subjectId, creatorUsername }: SinglePayment): { path: string; parameter: string } {
  switch (kind) {
    case 'ppv':
      return { path: paths.post(subjectId ?? ''), parameter: 'purchase' }
    case 'tip':
      return { path: subjectId === null ? paths.profile(creatorUsername) : paths.post(subjectId), parameter: 'tip' }
    case 'message':
      return { path: paths.conversation(creatorUsername), parameter: 'unlock' }
    case 'session':
      return { path: paths.privateSessions, parameter: 'booking' }
    case 'gift':
      return { path: paths.subscriptions, parameter: 'gift' }
    case 'product':
      return { path: paths.product(subjectId ?? ''), parameter: 'bought' }
  }
}

/**
 * Records how the fan's open pages for this thing ended. @returns those that can still be paid.
 * @throws 409 while a payment is being processed: a second page would be paid as well.
 */
export async function settleSessions(payments: Payments, known: readonly KnownPayment[]): Promise<OpenSession[]> {
  const payable: OpenSession[] = []
  for (const session of known.filter(isOpenSession)) {
    const { status } = await fulfillCheckout(payments, session.id)
    if (status === 'pending') throw paymentErrors.paymentPending()
    if (status === 'open') payable.push(session)
  }
  return payable
}
