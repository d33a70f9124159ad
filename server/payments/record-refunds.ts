import { sql } from '../postgres/sql.ts'
import { bookedPayment } from './booked-payment.ts'
import type { Payments } from './payments.ts'
import { recordDispute } from './record-dispute.ts'
import { idOf } from './record-invoice.ts'
import { timeOf } from './sync-subscription.ts'

/** The SDK wants a bound. Few charges have more than one. */
const mostRefunds = 10_000

/**
 * Takes over all that Stripe has given back of a charge: ledger, access and both notifications, each refund once by its id. The payment,
 * and disputes that it came back from, are booked first when their own events have not come yet.
 */
export async function recordRefunds(payments: Payments, chargeId: string): Promise<void> {
  const charge = await payments.stripe.api.charges.retrieve(chargeId)
  const intentId = idOf(charge.payment_intent)
  if (intentId === undefined) return
  const transactionId = await bookedPayment(payments, intentId)
  if (transactionId === undefined) return // none of ours
  if (charge.disputed) {
    const { data: disputes } = await payments.stripe.api.disputes.list({ charge: chargeId, limit: 100 })
    for (const { id } of disputes.toReversed()) await recordDispute(payments, id)
  }
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

/** A bank has turned a refund down that counted as done. What is none of ours, or is known, changes nothing. */
async function noteFailure({ database, log }: Payments, refundId: string, amountCents: number): Promise<void> {
  const [noted] = await database.service.rows<{ failed: boolean }>(sql`
    select private.fail_refund(${refundId}) as failed`)
  if (noted?.failed) log.error({ refundId, amountCents }, 'a bank has turned a refund down')
}
