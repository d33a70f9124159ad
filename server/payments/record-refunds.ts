import { sql } from '../postgres/sql.ts'
import type { Payments } from './payments.ts'
import { recordDifference } from './record-difference.ts'
import { idOf, recordInvoice } from './record-invoice.ts'
import { recordPayment } from './record-payment.ts'
import { timeOf } from './sync-subscription.ts'

/** The SDK wants a bound. Few charges have more than one. */
const mostRefunds = 10_000

/**
 * Takes over all that Stripe has given back of a charge: ledger, access and both notifications, each refund once by its id. The payment
 * is booked first when its own event has not come yet.
 */
export async function recordRefunds(payments: Payments, chargeId: string): Promise<void> {
  const charge = await payments.stripe.api.charges.retrieve(chargeId)
  const intentId = idOf(charge.payment_intent)
  if (intentId === undefined) return
  const transactionId = await bookedPayment(payments, intentId)
  if (transactionId === undefined) return // none of ours
  const refunds = await payments.stripe.api.refunds
    .list({ charge: chargeId, limit: 100 })
    .autoPagingToArray({ limit: mostRefunds })
  // Oldest first, as the fee of each is rounded after those before it.
  for (const { id, amount, created, status, metadata } of refunds.toReversed()) {
    if (status === 'failed' || status === 'canceled') await noteFailure(payments, id, amount)
    if (status !== 'succeeded') continue
    await payments.database.service.rows(sql`
      select private.post_refund(${id}, ${transactionId}, ${amount}, ${timeOf(created)}, ${metadata?.reason ?? null},
        ${metadata?.admin_id ?? null})`)
  }
}

/**
 * A bank has turned a refund down that counted as done. Where its money lies is Stripe's to say and an operator's to settle: access and
 * books stay, and the difference is shown.
 */
async function noteFailure(payments: Payments, refundId: string, amountCents: number): Promise<void> {
  const [booked] = await payments.database.service.rows<{ id: string | null }>(sql`
    select private.transaction_by_cause(${refundId}) as id`)
  if (!booked?.id) return
  await recordDifference(payments, { cause: refundId, kind: 'amount', expectedCents: 0, actualCents: amountCents })
}

/** transactions.id of a payment intent, or of the invoice that it paid. */
export async function bookedPayment(payments: Payments, intentId: string): Promise<string | undefined> {
  const single = await recordPayment(payments, intentId)
  if (single !== undefined) return single
  const { data } = await payments.stripe.api.invoicePayments.list({
    payment: { type: 'payment_intent', payment_intent: intentId },
    limit: 1,
  })
  const invoiceId = idOf(data[0]?.invoice)
  if (invoiceId === undefined) return undefined
  await recordInvoice(payments, invoiceId)
  const [booked] = await payments.database.service.rows<{ id: string | null }>(sql`
    select private.transaction_by_cause(${invoiceId}) as id`)
  return booked?.id ?? undefined
}
