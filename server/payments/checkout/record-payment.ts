import type Stripe from 'stripe'
import { fragment, sql } from '../../postgres/sql.ts'
import type { Payments } from '../payments.ts'
import { recordDifference } from '../reconciliation/record-difference.ts'
import { timeOf } from '../stripe-values.ts'
import { type PaymentKind, subjectNames } from './single-payment.ts'

/**
 * Records a single payment once Stripe has taken the money: the ledger, the purchase, and the creator's notification. The
 * intent's id is the cause, so that it counts once however often this runs.
 * @returns transactions.id; undefined while it is unpaid, and for an intent that isn't ours or belongs to an invoice.
 */
export async function recordPayment(payments: Payments, intentId: string): Promise<string | undefined> {
  const intent = await payments.stripe.api.paymentIntents.retrieve(intentId, { expand: ['latest_charge'] })
  const kind = kindOf(intent)
  if (intent.status !== 'succeeded' || !kind) return undefined
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
  if (!charge) throw new Error(`payment intent ${intentId} succeeded without a charge`)
  await compare(payments, intent, charge)
  return post(payments, kind, intent, charge)
}

function kindOf({ metadata }: Stripe.PaymentIntent): PaymentKind | undefined {
  return metadata.kind !== undefined && metadata.kind in subjectNames ? (metadata.kind as PaymentKind) : undefined
}

/** The books say what happened: the amount and fee that Stripe took, not those that we requested. */
async function post(
  { database }: Payments,
  kind: PaymentKind,
  { id, metadata, amount_received: grossCents, currency }: Stripe.PaymentIntent,
  charge: Stripe.Charge,
): Promise<string | undefined> {
  const { profile_id: fanId = null, creator_id: creatorId = null, note = null, goal_id: goalId = null } = metadata
  const subjectId = metadata[subjectNames[kind]] ?? null
  const feeCents = charge.application_fee_amount ?? 0
  const money = fragment`${grossCents}, ${feeCents}, ${currency}, ${timeOf(charge.created)}`
  const calls = {
    ppv: () => fragment`private.post_purchase(${id}, ${fanId}, ${creatorId}, ${subjectId}, ${money})`,
    tip: () => fragment`private.post_tip(${id}, ${fanId}, ${creatorId}, ${money}, ${subjectId}, ${note}, ${goalId})`,
    message: () => fragment`private.post_message_unlock(${id}, ${fanId}, ${creatorId}, ${subjectId}, ${money})`,
    session: () => fragment`private.post_session_payment(${id}, ${subjectId}, ${fanId}, ${creatorId}, ${money})`,
    gift: () => fragment`private.post_gift_payment(${id}, ${subjectId}, ${fanId}, ${creatorId}, ${money})`,
    product: () => fragment`private.post_product_purchase(${id}, ${fanId}, ${creatorId}, ${subjectId}, ${money})`,
  }
  const [posted] = await database.service.rows<{ id: string }>(sql`select ${calls[kind]()} as id`)
  return posted?.id
}

async function compare(
  payments: Payments,
  { id, metadata, amount_received }: Stripe.PaymentIntent,
  charge: Stripe.Charge,
): Promise<void> {
  const figures = [
    ['amount', Number(metadata.amount_cents), amount_received],
    ['fee', Number(metadata.fee_cents), charge.application_fee_amount ?? 0],
  ] as const
  for (const [kind, expectedCents, actualCents] of figures) {
    if (expectedCents !== actualCents) {
      await recordDifference(payments, { cause: id, kind, expectedCents, actualCents })
    }
  }
}
