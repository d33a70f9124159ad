import type Stripe from 'stripe'
import { sql } from '../../postgres/sql.ts'
import type { Payments } from '../payments.ts'
import { bookedPayment } from '../reconciliation/booked-payment.ts'
import { idOf, timeOf } from '../stripe-values.ts'

/**
 * Records the state of a dispute: ledger, access, and notifications, and the task that takes the creator's transfer back or returns it.
 * An inquiry (`warning_…`) moves no money, but admins are notified. A lost dispute may be won on appeal, months later. If the payment's
 * own event hasn't arrived yet, the payment is booked first.
 */
export async function recordDispute(payments: Payments, disputeId: string): Promise<void> {
  const dispute = await payments.stripe.api.disputes.retrieve(disputeId)
  const status = statusOf(dispute)
  const intentId = idOf(dispute.payment_intent)
  const isInquiry = dispute.status === 'warning_needs_response'
  if ((!status && !isInquiry) || intentId === undefined) return
  const transactionId = await bookedPayment(payments, intentId)
  if (transactionId === undefined) return // not ours
  const { id, amount, created, balance_transactions: moves } = dispute
  if (!status) {
    const answerBy = timeOf(dispute.evidence_details.due_by)
    await payments.database.service.rows(sql`
      select private.note_inquiry(${id}, ${transactionId}, ${amount}, ${timeOf(created)}, ${answerBy})`)
    return
  }
  // When money last moved: the withdrawal or the return.
  const occurredAt = timeOf(moves.at(-1)?.created ?? created)
  await payments.database.service.rows(sql`
    select private.post_dispute(${id}, ${transactionId}, ${amount}, ${status}, ${occurredAt})`)
}

/** The dispute's effect on the books, by Stripe's status. Undefined: no money has moved, or none is missing. */
function statusOf({ status, balance_transactions: moves }: Stripe.Dispute): 'open' | 'won' | 'lost' | undefined {
  switch (status) {
    case 'needs_response':
    case 'under_review':
      return 'open'
    case 'won':
      return 'won'
    case 'lost':
    // The bank still has the money. A successful appeal ends in `won`.
    case 'appeal_needs_response':
    case 'appeal_under_review':
      return 'lost'
    // Settled before it became a dispute. If money had been withdrawn anyway, it is back.
    case 'prevented':
      return moves.length > 0 ? 'won' : undefined
    default: // an inquiry: warning_needs_response, warning_under_review, warning_closed
      return undefined
  }
}

/** Whether the bank has the money now. */
export function isMoneyGone(dispute: Stripe.Dispute): boolean {
  const status = statusOf(dispute)
  return status === 'open' || status === 'lost'
}
