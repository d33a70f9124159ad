import Stripe from 'stripe'
import type { Payments } from '../payments.ts'
import { idOf } from '../stripe-values.ts'
import { moveSubscription } from './move-subscription.ts'
import { syncSubscription } from './sync-subscription.ts'

/** Renewals that we paused are marked and resume; those that were canceled for another reason don't. */
const mark = 'renewal_held'

/**
 * Pauses a subscription's renewals and all open charges for it, or resumes both. One that has ended in the meantime stays
 * as it is: Stripe no longer changes it.
 */
export async function setRenewal(payments: Payments, subscriptionId: string, renews: boolean): Promise<void> {
  const { subscriptions } = payments.stripe.api
  const subscription = await subscriptions.retrieve(subscriptionId)
  if (subscription.status !== 'canceled' && subscription.status !== 'incomplete_expired') {
    const changed = await subscriptions.update(subscriptionId, { cancel_at_period_end: !renews })
    // Before its bills are released: those of an account that is gone can't be paid.
    await moveSubscription(payments, changed)
    if (!renews && subscription.pending_update) await dropChange(payments, subscription)
  }
  await (renews ? releaseInvoices(payments, subscriptionId) : holdInvoices(payments, subscriptionId))
  await syncSubscription(payments, subscriptionId)
}

/** A draft renewal isn't charged, and a failed charge isn't retried. Voiding it would give the period away. */
async function holdInvoices({ stripe }: Payments, subscription: string): Promise<void> {
  for (const status of ['draft', 'open'] as const)
    for await (const { id, auto_advance } of stripe.api.invoices.list({ subscription, status, limit: 100 }))
      if (auto_advance) await stripe.api.invoices.update(id, { auto_advance: false, metadata: { [mark]: 'true' } })
}

async function releaseInvoices({ stripe }: Payments, subscription: string): Promise<void> {
  for (const status of ['draft', 'open'] as const)
    for await (const { id, metadata } of stripe.api.invoices.list({ subscription, status, limit: 100 }))
      if (metadata?.[mark]) await stripe.api.invoices.update(id, { auto_advance: true, metadata: { [mark]: '' } })
}

/** A switch that waits for the fan's bank could still be paid. */
async function dropChange({ stripe }: Payments, { latest_invoice }: Stripe.Subscription): Promise<void> {
  const invoiceId = idOf(latest_invoice)
  if (invoiceId === undefined) return
  await stripe.api.invoices.voidInvoice(invoiceId).catch((error: unknown) => {
    // Paid at this very moment: the books refund it.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
  })
}
