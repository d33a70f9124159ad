import { createHash } from 'node:crypto'
import { paths, withoutPaying } from '@ovation/contract/routes'
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

/** The checkout page of a payment. @param previous the last one of this purpose, so that two clicks get the same page. */
export async function createSession(
  payments: Payments,
  fan: Payer,
  payment: SinglePayment,
  siteOrigin: string,
  previous: string | undefined,
): Promise<CheckoutSession> {
  const { id, url } = await withCustomer(payments, fan, (customer) => {
    const params = pageParams(payments, fan, payment, siteOrigin, customer)
    // The same payment after the same past is the same key: Stripe gives both clicks one session.
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
    // Not encoded: Stripe looks for the braces as they are.
    success_url: `${siteOrigin}${path}${path.includes('?') ? '&' : '?'}${parameter}={CHECKOUT_SESSION_ID}`,
    cancel_url: `${siteOrigin}${withoutPaying(path)}`,
    // Only a card whose holder ticks the box is kept for purchases by one click.
    saved_payment_method_options: { payment_method_save: 'enabled' },
    metadata: intent.metadata,
    payment_intent_data: intent,
  }
}

/** Where the fan was when they decided to pay, and the parameter that tells that screen of the payment. */
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
  }
}

/**
 * Takes over how the fan's open pages for this purpose ended. @returns those that can still be paid.
 * @throws 409 while the money for one is on its way: another page would be paid beside it.
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
