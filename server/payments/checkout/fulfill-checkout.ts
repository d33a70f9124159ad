import Stripe from 'stripe'
import { sql } from '../../postgres/sql.ts'
import { keepSavedCard } from '../cards/keep-saved-card.ts'
import type { Payments } from '../payments.ts'
import { idOf } from '../stripe-values.ts'
import { recordInvoice } from '../subscriptions/record-invoice.ts'
import { syncSubscription } from '../subscriptions/sync-subscription.ts'
import { recordPayment } from './record-payment.ts'

/** `pending`: the fan has finished, and the money is on its way. Nothing is granted, and the page can't be paid any more. */
export type CheckoutStatus = 'open' | 'pending' | 'complete' | 'expired'

/**
 * Records the state of a checkout at Stripe: paid, pending, expired, or still open. The webhook, the return page, and a second click all
 * end here, any number of times: every step is idempotent.
 */
export async function fulfillCheckout(payments: Payments, sessionId: string): Promise<{ status: CheckoutStatus }> {
  const session = await readSession(payments, sessionId)
  const status = session ? await statusOf(payments, session) : 'expired'
  if (session && status === 'complete') await grantPurchase(payments, session)
  // Last, so that a checkout counts as complete only once everything that it paid for is granted.
  if (status === 'complete' || status === 'expired') {
    const hasFailed = status === 'expired' && session?.status === 'complete'
    // In one statement, so that the fan is notified once.
    await payments.database.service.rows(sql`
      with over as (
        update private.checkout_sessions set status = ${status},
          completed_at = case when ${status} = 'complete' then coalesce(completed_at, now()) end
        where id = ${sessionId} and status = 'open'
        returning profile_id
      )
      select private.notify(over.profile_id, 'payment', 'Your bank rejected your payment',
        'Nothing was charged. Pay with a card to try again.', '{}')
      from over where ${hasFailed}::boolean and over.profile_id is not null`)
  }
  return { status }
}

async function grantPurchase(payments: Payments, session: Stripe.Checkout.Session): Promise<void> {
  if (session.mode === 'subscription') {
    const invoiceId = idOf(session.invoice)
    const subscriptionId = idOf(session.subscription)
    // The invoice includes its subscription; a checkout without an invoice has only started a trial.
    if (invoiceId !== undefined) await recordInvoice(payments, invoiceId)
    else if (subscriptionId !== undefined) await syncSubscription(payments, subscriptionId)
  }
  if (session.mode === 'setup') await keepSavedCard(payments, session)
  const intentId = idOf(session.payment_intent)
  if (intentId !== undefined) await recordPayment(payments, intentId)
}

/** Undefined for a page that no longer exists at Stripe, and so can't be paid. */
async function readSession({ stripe }: Payments, sessionId: string): Promise<Stripe.Checkout.Session | undefined> {
  return stripe.api.checkout.sessions.retrieve(sessionId).catch((error: unknown) => {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing')) throw error
    return undefined
  })
}

/** Stripe may add states; one that is neither paid nor over can still become either. */
async function statusOf(payments: Payments, session: Stripe.Checkout.Session): Promise<CheckoutStatus> {
  if (session.status === 'complete')
    return session.payment_status === 'unpaid' ? delayed(payments, session) : 'complete'
  return session.status === 'expired' ? 'expired' : 'open'
}

/**
 * A page that was finished with a payment method that takes days. Our pages accept only cards, but an operator's settings at Stripe may
 * differ, and older pages may too.
 */
async function delayed({ stripe }: Payments, session: Stripe.Checkout.Session): Promise<CheckoutStatus> {
  const intentId = idOf(session.payment_intent)
  if (intentId !== undefined) {
    const { status } = await stripe.api.paymentIntents.retrieve(intentId)
    if (status === 'succeeded') return 'complete'
    return status === 'canceled' || status === 'requires_payment_method' ? 'expired' : 'pending'
  }
  const invoiceId = idOf(session.invoice)
  const { status } = invoiceId === undefined ? {} : await stripe.api.invoices.retrieve(invoiceId)
  if (status === 'paid') return 'complete'
  return status === 'void' || status === 'uncollectible' ? 'expired' : 'pending'
}
