import type Stripe from 'stripe'
import { sql } from '../../postgres/sql.ts'
import { recordDispute } from '../disputes/record-dispute.ts'
import type { Payments } from '../payments.ts'
import { bookedPayment } from '../reconciliation/booked-payment.ts'
import { idOf, timeOf } from '../stripe-values.ts'

/** The SDK requires a limit. Few charges have more than one refund. */
const mostRefunds = 10_000

/**
 * Records all refunds of a charge: ledger, access, and both notifications, each refund once by its id. The payment, and
 * disputes that returned its money, are booked first if their events haven't arrived yet.
 * @returns pending cents: a bank may still reject them, and they are booked once they succeed.
 */
export async function recordRefunds(payments: Payments, chargeId: string): Promise<number> {
  // First, so that the charge's fee isn't older than the last refund.
  const refunds = await payments.stripe.api.refunds
    .list({ charge: chargeId, limit: 100, expand: ['data.transfer_reversal'] })
    .autoPagingToArray({ limit: mostRefunds })
  const charge = await payments.stripe.api.charges.retrieve(chargeId, { expand: ['application_fee'] })
  const intentId = idOf(charge.payment_intent)
  if (intentId === undefined) return 0
  const transactionId = await bookedPayment(payments, intentId)
  if (transactionId === undefined) return 0 // not ours
  if (charge.disputed) {
    const { data: disputes } = await payments.stripe.api.disputes.list({ charge: chargeId, limit: 100 })
    for (const { id } of disputes.toReversed()) await recordDispute(payments, id)
  }
  // Oldest first, because each fee is rounded after those before it.
  for (const refund of refunds.toReversed()) {
    const { id, amount, created, status, metadata } = refund
    if (status === 'failed' || status === 'canceled') await noteFailure(payments, id, amount)
    if (status !== 'succeeded') continue
    await payments.database.service.rows(sql`
      select private.post_refund(${id}, ${transactionId}, ${amount}, ${timeOf(created)}, ${metadata?.reason ?? null},
        ${metadata?.admin_id ?? null}, ${await takenFromCreator(payments, charge, transactionId, refund, refunds)})`)
  }
  const onTheWay = refunds.filter(({ status }) => status === 'pending' || status === 'requires_action')
  return onTheWay.reduce((cents, { amount }) => cents + amount, 0)
}

/**
 * What a refund took from the creator: the transfer that was reversed with it, less the fee that came back to them. A refund in the
 * Dashboard may lack both, and is the platform's loss then. Null for a payment without a transfer: the books know the proportion.
 */
async function takenFromCreator(
  { database }: Payments,
  charge: Stripe.Charge,
  transactionId: string,
  refund: Stripe.Refund,
  refunds: readonly Stripe.Refund[],
): Promise<number | null> {
  if (charge.transfer === undefined || charge.transfer === null) return null
  const feeRefunded = typeof charge.application_fee === 'object' ? (charge.application_fee?.amount_refunded ?? 0) : 0
  const [known] = await database.service.rows<{ share: number; taken: Record<string, number> }>(sql`
    select (private.share_of(t.fee_amount, t.amount, t.refunded_amount + ${refund.amount})
        - private.share_of(t.fee_amount, t.amount, t.refunded_amount))::int as share,
      coalesce((select jsonb_object_agg(l.cause, -r.net_amount)
        from public.transactions r join private.ledger_transactions l on l.id = r.ledger_transaction_id
        where r.original_transaction_id = t.id and r.transaction_type = 'refund'), '{}') as taken
    from public.transactions t where t.id = ${transactionId}`)
  if (!known) return null
  // Stripe doesn't say which part of the fee came back with which refund: this one gets what earlier ones left, up to its share.
  const before = refunds.flatMap((each) => {
    const taken = known.taken[each.id]
    return taken === undefined ? [] : [reversedBy(each) - taken]
  })
  const feeLeft = feeRefunded - before.reduce((sum, cents) => sum + cents, 0)
  return reversedBy(refund) - Math.min(known.share, Math.max(feeLeft, 0))
}

const reversedBy = ({ transfer_reversal: reversal }: Stripe.Refund): number =>
  typeof reversal === 'object' ? (reversal?.amount ?? 0) : 0

/** Records that a bank has rejected a refund that counted as done. Refunds that aren't ours, or are already noted, change nothing. */
async function noteFailure({ database, log }: Payments, refundId: string, amountCents: number): Promise<void> {
  const [noted] = await database.service.rows<{ failed: boolean }>(sql`
    select private.fail_refund(${refundId}) as failed`)
  if (noted?.failed) log.error({ refundId, amountCents }, 'a bank rejected a refund')
}
