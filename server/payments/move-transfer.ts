import type Stripe from 'stripe'
import type { Payments } from './payments.ts'
import { idOf } from './record-invoice.ts'
import { sendTransfer } from './send-transfer.ts'

/** Takes the creator's part of a disputed payment back, and their fee with it: the bank took the whole from the platform. */
export async function takeBackTransfer(payments: Payments, disputeId: string, amountCents: number): Promise<void> {
  const transfer = await transferOf(payments, disputeId)
  if (!transfer) return
  const { transfers } = payments.stripe.api
  // Stripe forgets a key after a day; what was reversed under it is known by its mark.
  for await (const { metadata } of transfers.listReversals(transfer.id, { limit: 100 })) {
    if (metadata?.dispute === disputeId) return
  }
  await transfers.createReversal(
    transfer.id,
    { amount: amountCents, refund_application_fee: true, metadata: { dispute: disputeId } },
    { idempotencyKey: `take-back:${disputeId}` },
  )
}

/** The dispute was won: what was the creator's goes to them again. @param since when it was found out. */
export async function returnTransfer(
  payments: Payments,
  disputeId: string,
  amountCents: number,
  since: Date,
): Promise<void> {
  const destination = idOf((await transferOf(payments, disputeId))?.destination)
  if (destination === undefined) return
  await sendTransfer(payments, {
    amountCents,
    destination,
    description: 'Dispute won',
    metadata: { dispute: disputeId },
    idempotencyKey: `return:${disputeId}`,
    since,
  })
}

async function transferOf({ stripe }: Payments, disputeId: string): Promise<Stripe.Transfer | undefined> {
  const chargeId = idOf((await stripe.api.disputes.retrieve(disputeId)).charge)
  if (chargeId === undefined) return undefined
  const charge = await stripe.api.charges.retrieve(chargeId, { expand: ['transfer'] })
  return typeof charge.transfer === 'object' ? charge.transfer : undefined
}
