import { splitPayment } from '@ovation/contract/fees'
import type Stripe from 'stripe'
import { sql } from '../../postgres/sql.ts'
import type { Payments } from '../payments.ts'
import { recordDifference } from '../reconciliation/record-difference.ts'
import { idOf, timeOf } from '../stripe-values.ts'
import { type SyncedSubscription, syncSubscription } from './sync-subscription.ts'

/**
 * Records an invoice of a subscription: its state, and once it is paid the ledger entry, the transaction, and the creator's
 * notification. The invoice's id is the cause, so that it counts once however often this runs.
 * @returns undefined if the invoice isn't ours.
 */
export async function recordInvoice(payments: Payments, invoiceId: string): Promise<SyncedSubscription | undefined> {
  const invoice = await payments.stripe.api.invoices.retrieve(invoiceId, { expand: ['payments'] })
  const subscriptionId = idOf(invoice.parent?.subscription_details?.subscription)
  if (subscriptionId === undefined) return undefined
  const subscription = await syncSubscription(payments, subscriptionId)
  // A free trial's invoice is paid but moves no money.
  if (subscription && invoice.status === 'paid' && invoice.amount_paid > 0) {
    await post(payments, invoice, subscription)
  }
  return subscription
}

async function post(payments: Payments, invoice: Stripe.Invoice, subscription: SyncedSubscription): Promise<void> {
  const taken = await moneyTaken(payments, invoice)
  if (taken.grossCents !== invoice.amount_paid) {
    await recordDifference(payments, {
      cause: invoice.id,
      kind: 'amount',
      expectedCents: invoice.amount_paid,
      actualCents: taken.grossCents,
    })
  }
  if (taken.grossCents === 0) return // settled outside Stripe: there is no money for us to book
  const { feeCents } = splitPayment(taken.grossCents, subscription.feePercent)
  if (taken.feeCents !== feeCents) {
    await recordDifference(payments, {
      cause: invoice.id,
      kind: 'fee',
      expectedCents: feeCents,
      actualCents: taken.feeCents,
    })
  }
  // The books say what happened: the fee that Stripe took, not the one that we would have taken.
  await payments.database.service.rows(sql`
    select private.post_subscription_payment(${invoice.id}, ${subscription.subscriberId}, ${subscription.creatorId},
      ${subscription.productId}, ${taken.grossCents}, ${taken.feeCents}, ${invoice.currency},
      ${timeOf(invoice.status_transitions.paid_at ?? invoice.created)}, ${subscription.subscriptionId})`)
}

/** The charged amount of an invoice, and the platform's fee in it. */
async function moneyTaken(
  { stripe }: Payments,
  invoice: Stripe.Invoice,
): Promise<{ grossCents: number; feeCents: number }> {
  let grossCents = 0
  let feeCents = 0
  for (const { status, amount_paid, payment } of invoice.payments?.data ?? []) {
    const intentId = idOf(payment.payment_intent)
    if (status !== 'paid' || intentId === undefined) continue
    const intent = await stripe.api.paymentIntents.retrieve(intentId, { expand: ['latest_charge'] })
    const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
    grossCents += amount_paid ?? 0
    feeCents += charge?.application_fee_amount ?? 0
  }
  return { grossCents, feeCents }
}
