import type Stripe from 'stripe'
import { sql } from '../postgres/sql.ts'
import { bookedPayment } from './booked-payment.ts'
import type { Payments } from './payments.ts'
import { idOf } from './record-invoice.ts'
import { timeOf } from './sync-subscription.ts'

/**
 * Takes over how a dispute stands: ledger, access and notifications, and the wish to take the creator's transfer back or return it.
 * An inquiry (`warning_…`) has moved no money and is left alone. The payment is booked first when its own event has not come yet.
 */
export async function recordDispute(payments: Payments, disputeId: string): Promise<void> {
  const dispute = await payments.stripe.api.disputes.retrieve(disputeId)
  const status = statusOf(dispute)
  const intentId = idOf(dispute.payment_intent)
  if (!status || intentId === undefined) return
  const transactionId = await bookedPayment(payments, intentId)
  if (transactionId === undefined) return // none of ours
  const { id, amount, created, balance_transactions: moves } = dispute
  // The moment of the last movement of money: the withdrawal, or the return.
  const occurredAt = timeOf(moves.at(-1)?.created ?? created)
  await payments.database.service.rows(sql`
    select private.post_dispute(${id}, ${transactionId}, ${amount}, ${status}, ${occurredAt})`)
}

function statusOf({ status }: Stripe.Dispute): 'open' | 'won' | 'lost' | undefined {
  if (status === 'won') return 'won'
  if (status === 'lost') return 'lost'
  return status === 'needs_response' || status === 'under_review' ? 'open' : undefined
}
