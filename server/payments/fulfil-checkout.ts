import Stripe from 'stripe'
import { sql } from '../postgres/sql.ts'
import { keepSavedCard } from './keep-saved-card.ts'
import type { Payments } from './payments.ts'
import { idOf, recordInvoice } from './record-invoice.ts'
import { recordPayment } from './record-payment.ts'
import { syncSubscription } from './sync-subscription.ts'

type CheckoutStatus = 'open' | 'complete' | 'expired'

/**
 * Takes over how a checkout stands at Stripe: paid, expired or still open. The webhook, the return page and a second click all end
 * here, and as often as they like: every step is idempotent.
 */
export async function fulfilCheckout(payments: Payments, sessionId: string): Promise<{ status: CheckoutStatus }> {
  const session = await readSession(payments, sessionId)
  const status = session ? statusOf(session) : 'expired'
  if (session && status === 'complete') await handOut(payments, session)
  // Last, so that a checkout counts as over only when what it paid for has been handed out.
  if (status !== 'open') {
    await payments.database.service.rows(sql`
      update private.checkout_sessions set status = ${status},
        completed_at = case when ${status} = 'complete' then coalesce(completed_at, now()) end
      where id = ${sessionId} and status = 'open'`)
  }
  return { status }
}

async function handOut(payments: Payments, session: Stripe.Checkout.Session): Promise<void> {
  if (session.mode === 'subscription') {
    const invoiceId = idOf(session.invoice)
    const subscriptionId = idOf(session.subscription)
    // The invoice brings its subscription along; a checkout without one has only begun a trial.
    if (invoiceId !== undefined) await recordInvoice(payments, invoiceId)
    else if (subscriptionId !== undefined) await syncSubscription(payments, subscriptionId)
  }
  if (session.mode === 'setup') await keepSavedCard(payments, session)
  const intentId = idOf(session.payment_intent)
  if (intentId !== undefined) await recordPayment(payments, intentId)
}

/** Undefined for a page that Stripe does not know any more: it can not be paid either. */
async function readSession({ stripe }: Payments, sessionId: string): Promise<Stripe.Checkout.Session | undefined> {
  return stripe.api.checkout.sessions.retrieve(sessionId).catch((error: unknown) => {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing')) throw error
    return undefined
  })
}

/** Stripe may add states; whatever is neither paid nor over can still be either. */
function statusOf({ status }: Stripe.Checkout.Session): CheckoutStatus {
  if (status === 'complete') return 'complete'
  return status === 'expired' ? 'expired' : 'open'
}
