import type Stripe from 'stripe'
import { sql } from '../../postgres/sql.ts'
import { isMoneyGone } from '../disputes/record-dispute.ts'
import { keyAfter } from '../idempotency.ts'
import type { Payments } from '../payments.ts'
import { idOf } from '../stripe-values.ts'
import { findTransfer, sendTransfer } from './send-transfer.ts'
import { takeFromCreator, WantOfMoney } from './take-from-creator.ts'

/**
 * Takes the creator's part of a disputed payment back, and returns their fee: the bank took the whole amount from the platform.
 * @throws `isWantOfMoney` while the creator has too little; what they have is taken.
 */
export async function takeBackTransfer(
  payments: Payments,
  disputeId: string,
  amountCents: number,
  refusals: number,
): Promise<void> {
  const dispute = await payments.stripe.api.disputes.retrieve(disputeId)
  // Won in the meantime: the creator keeps the rest, and another task returns what was taken.
  if (!isMoneyGone(dispute)) return
  const { charge, transfer } = await transferOf(payments, dispute)
  if (!transfer) return
  await takeFromCreator(payments, transfer, disputeId, {
    amount: amountCents - (await takenFor(payments, transfer, disputeId)),
    fee: charge.application_fee_amount ?? 0,
    metadata: { dispute: disputeId },
    idempotencyKey: `take-back:${disputeId}`,
    refusals,
  })
}

/** Cents of a transfer that were reversed for a dispute. Stripe forgets a key after a day, so the reversals are found by their metadata. */
async function takenFor({ stripe }: Payments, transfer: Stripe.Transfer, disputeId: string): Promise<number> {
  let cents = 0
  for await (const { amount, metadata } of stripe.api.transfers.listReversals(transfer.id, { limit: 100 }))
    if (metadata?.dispute === disputeId) cents += amount
  return cents
}

/**
 * The dispute was won: sends the creator what was taken from them.
 * @param amountCents their part if all of it was taken.
 * @param since when the dispute was won, as far as we know.
 */
export async function returnTransfer(
  payments: Payments,
  disputeId: string,
  amountCents: number,
  since: Date,
  refusals: number,
): Promise<void> {
  const dispute = await payments.stripe.api.disputes.retrieve(disputeId)
  const { charge, transfer } = await transferOf(payments, dispute)
  const origin = idOf(transfer?.destination)
  if (!transfer || origin === undefined) return
  const taken = await takenFor(payments, transfer, disputeId)
  const feeUntil = (reversed: number) => Math.round(((charge.application_fee_amount ?? 0) * reversed) / charge.amount)
  const before = transfer.amount_reversed - taken
  const netCents =
    taken === dispute.amount ? amountCents : taken - (feeUntil(transfer.amount_reversed) - feeUntil(before))
  if (netCents === 0) return
  const metadata = { dispute: disputeId }
  const creator = await creatorOf(payments, disputeId)
  if (creator && !creator.canBePaid) throw new WantOfMoney("the creator can't be paid at Stripe right now")
  const destination = creator?.account ?? origin
  // The account may have received it before it was lost.
  if (destination !== origin && (await findTransfer(payments, { destination: origin, metadata, since }))) return
  await sendTransfer(payments, {
    amountCents: netCents,
    destination,
    description: 'Dispute won',
    metadata,
    idempotencyKey: keyAfter(`return:${disputeId}${destination === origin ? '' : `:${destination}`}`, refusals),
    since,
  })
}

/** The account that the creator of a disputed payment has now: the one that was paid may be lost and replaced. */
async function creatorOf(
  { database }: Payments,
  disputeId: string,
): Promise<{ account: string; canBePaid: boolean } | undefined> {
  const [creator] = await database.service.rows<{ account: string; canBePaid: boolean }>(sql`
    select p.stripe_account_id as account, p.stripe_charges_enabled as "canBePaid"
    from private.payment_disputes d join public.transactions t on t.id = d.transaction_id join private.profiles p on p.id = t.to_user_id
    where d.id = ${disputeId} and p.stripe_account_id is not null`)
  return creator
}

/**
 * The payment was refunded after its dispute was won: takes back what the creator has of it, from its own transfer and from those that
 * replaced it, because the platform has paid the refund.
 * @throws while such a transfer is still to be sent, and `isWantOfMoney` while the creator has too little; what they have is taken.
 */
export async function takeBackRest(payments: Payments, refundId: string, refusals: number): Promise<void> {
  const { api } = payments.stripe
  const { charge: chargeId } = await api.refunds.retrieve(refundId)
  const charge = await api.charges.retrieve(idOf(chargeId) ?? '', { expand: ['transfer'] })
  const { transfer } = charge
  if (typeof transfer !== 'object' || !transfer) return
  const destination = idOf(transfer.destination) ?? ''
  const returns = await payments.database.service.rows<{ disputeId: string; since: Date; isSent: boolean }>(sql`
    select back.target as "disputeId", back.created_at as since, back.done_at is not null as "isSent"
    from private.payment_tasks rest join private.payment_tasks back using (transaction_id)
    where rest.kind = 'take_back_rest' and rest.target = ${refundId} and back.kind = 'return_transfer'
    order by back.id`)
  if (returns.some(({ isSent }) => !isSent)) throw new Error('the won amount must reach the creator first')
  let want: WantOfMoney | undefined
  const takeBack = async (from: Stripe.Transfer, fee = 0) => {
    const about = { amount: from.amount, fee, metadata: { refund: refundId } }
    const idempotencyKey = `take-back-rest:${refundId}:${from.id}`
    await takeFromCreator(payments, from, refundId, { ...about, idempotencyKey, refusals }).catch((error: unknown) => {
      if (!(error instanceof WantOfMoney)) throw error
      want = error
    })
  }
  await takeBack(transfer, charge.application_fee_amount ?? 0)
  for (const { disputeId, since } of returns) {
    const present = (await creatorOf(payments, disputeId))?.account ?? destination
    for (const account of new Set([destination, present])) {
      const sent = await findTransfer(payments, { destination: account, metadata: { dispute: disputeId }, since })
      if (sent) await takeBack(sent)
    }
  }
  if (want) throw want
}

/** The charge that a dispute is about, and its transfer. */
async function transferOf({ stripe }: Payments, dispute: Stripe.Dispute) {
  const charge = await stripe.api.charges.retrieve(idOf(dispute.charge) ?? '', { expand: ['transfer'] })
  return { charge, transfer: typeof charge.transfer === 'object' ? charge.transfer : undefined }
}
