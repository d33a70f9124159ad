import type Stripe from 'stripe'
import type { Payments } from './payments.ts'
import { idOf } from './record-invoice.ts'

/** Takes the creator's part of a disputed payment back, and their fee with it: the bank took the whole from the platform. */
export async function takeBackTransfer(payments: Payments, disputeId: string, amountCents: number): Promise<void> {
  const transfer = await transferOf(payments, disputeId)
  if (!transfer) return
  await payments.stripe.api.transfers.createReversal(
    transfer.id,
    { amount: amountCents, refund_application_fee: true, metadata: { dispute: disputeId } },
    { idempotencyKey: `take-back:${disputeId}` },
  )
}

/** The dispute was won: what was the creator's goes to them again. */
export async function returnTransfer(payments: Payments, disputeId: string, amountCents: number): Promise<void> {
  const destination = idOf((await transferOf(payments, disputeId))?.destination)
  if (destination === undefined) return
  await payments.stripe.api.transfers.create(
    {
      amount: amountCents,
      currency: 'usd',
      destination,
      description: 'Dispute won',
      metadata: { dispute: disputeId },
    },
    { idempotencyKey: `return:${disputeId}` },
  )
}

async function transferOf({ stripe }: Payments, disputeId: string): Promise<Stripe.Transfer | undefined> {
  const chargeId = idOf((await stripe.api.disputes.retrieve(disputeId)).charge)
  if (chargeId === undefined) return undefined
  const charge = await stripe.api.charges.retrieve(chargeId, { expand: ['transfer'] })
  return typeof charge.transfer === 'object' ? charge.transfer : undefined
}
