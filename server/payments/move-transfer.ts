import type Stripe from 'stripe'
import { sql } from '../postgres/sql.ts'
import { keyAfter, patiently } from './idempotency.ts'
import type { Payments } from './payments.ts'
import { idOf } from './record-invoice.ts'
import { findTransfer, sendTransfer } from './send-transfer.ts'

/** Takes the creator's part of a disputed payment back, and their fee with it: the bank took the whole from the platform. */
export async function takeBackTransfer(
  payments: Payments,
  disputeId: string,
  amountCents: number,
  refusals: number,
): Promise<void> {
  const transfer = await transferOf(payments, disputeId)
  if (!transfer) return
  const { transfers } = payments.stripe.api
  // Stripe forgets a key after a day; what was reversed under it is known by its mark.
  for await (const { metadata } of transfers.listReversals(transfer.id, { limit: 100 })) {
    if (metadata?.dispute === disputeId) return
  }
  await patiently(() =>
    transfers.createReversal(
      transfer.id,
      { amount: amountCents, refund_application_fee: true, metadata: { dispute: disputeId } },
      { idempotencyKey: keyAfter(`take-back:${disputeId}`, refusals) },
    ),
  )
}

/** The dispute was won: what was the creator's goes to them again. @param since when it was found out. */
export async function returnTransfer(
  payments: Payments,
  disputeId: string,
  amountCents: number,
  since: Date,
  refusals: number,
): Promise<void> {
  const destination = idOf((await transferOf(payments, disputeId))?.destination)
  if (destination === undefined) return
  await sendTransfer(payments, {
    amountCents,
    destination,
    description: 'Dispute won',
    metadata: { dispute: disputeId },
    idempotencyKey: keyAfter(`return:${disputeId}`, refusals),
    since,
  })
}

/**
 * The payment was refunded after its dispute was won: what the creator has of it, by the transfer that came with it and by those that
 * were sent in its place, comes back to the platform, which has given the refund.
 * @throws while such a transfer is still to be sent.
 */
export async function takeBackRest(payments: Payments, refundId: string, refusals: number): Promise<void> {
  const { api } = payments.stripe
  const { charge: chargeId } = await api.refunds.retrieve(refundId)
  const { transfer } = await api.charges.retrieve(idOf(chargeId) ?? '', { expand: ['transfer'] })
  if (typeof transfer !== 'object' || !transfer) return
  const destination = idOf(transfer.destination) ?? ''
  const returns = await payments.database.service.rows<{ disputeId: string; since: Date; isSent: boolean }>(sql`
    select back.target as "disputeId", back.created_at as since, back.done_at is not null as "isSent"
    from private.payment_tasks rest join private.payment_tasks back using (transaction_id)
    where rest.kind = 'take_back_rest' and rest.target = ${refundId} and back.kind = 'return_transfer'
    order by back.id`)
  if (returns.some(({ isSent }) => !isSent)) throw new Error('what was won goes to the creator first')
  const takeBack = async ({ id, amount, amount_reversed }: Stripe.Transfer, fee: { refund_application_fee?: true }) => {
    if (amount === amount_reversed) return
    const reversal = { amount: amount - amount_reversed, metadata: { refund: refundId }, ...fee }
    const idempotencyKey = keyAfter(`take-back-rest:${refundId}:${id}`, refusals)
    await patiently(() => api.transfers.createReversal(id, reversal, { idempotencyKey }))
  }
  await takeBack(transfer, { refund_application_fee: true })
  for (const { disputeId, since } of returns) {
    const sent = await findTransfer(payments, { destination, metadata: { dispute: disputeId }, since })
    if (sent) await takeBack(sent, {})
  }
}

async function transferOf({ stripe }: Payments, disputeId: string): Promise<Stripe.Transfer | undefined> {
  const chargeId = idOf((await stripe.api.disputes.retrieve(disputeId)).charge)
  if (chargeId === undefined) return undefined
  const charge = await stripe.api.charges.retrieve(chargeId, { expand: ['transfer'] })
  return typeof charge.transfer === 'object' ? charge.transfer : undefined
}
