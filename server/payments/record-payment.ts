import type Stripe from 'stripe'
import { sql } from '../postgres/sql.ts'
import type { Payments } from './payments.ts'
import { recordDifference } from './record-difference.ts'
import { timeOf } from './sync-subscription.ts'

/**
 * Takes over a single payment, once Stripe has taken the money: the ledger, what was bought, and the creator's notification. The
 * intent's id is the cause, so that it counts once however often this runs.
 * @returns transactions.id; undefined while it is unpaid, and for an intent that is none of ours or belongs to an invoice.
 */
export async function recordPayment(payments: Payments, intentId: string): Promise<string | undefined> {
  const intent = await payments.stripe.api.paymentIntents.retrieve(intentId, { expand: ['latest_charge'] })
  const { kind } = intent.metadata
  if (intent.status !== 'succeeded' || (kind !== 'ppv' && kind !== 'tip')) return undefined
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
  if (!charge) throw new Error(`payment intent ${intentId} has succeeded without a charge`)
  await compare(payments, intent, charge)
  return post(payments, kind, intent, charge)
}

/** The books say what happened: what Stripe took, and the fee that it took, not what we had asked for. */
async function post(
  { database }: Payments,
  kind: 'ppv' | 'tip',
  { id, metadata, amount_received: grossCents, currency }: Stripe.PaymentIntent,
  charge: Stripe.Charge,
): Promise<string | undefined> {
  const { profile_id: fanId = null, creator_id: creatorId = null, post_id: postId = null } = metadata
  const feeCents = charge.application_fee_amount ?? 0
  const occurredAt = timeOf(charge.created)
  const [posted] = await database.service.rows<{ id: string }>(
    kind === 'ppv'
      ? sql`select private.post_purchase(${id}, ${fanId}, ${creatorId}, ${postId}, ${grossCents}, ${feeCents}, ${currency}, ${occurredAt}) as id`
      : sql`select private.post_tip(${id}, ${fanId}, ${creatorId}, ${grossCents}, ${feeCents}, ${currency}, ${occurredAt}, ${postId}) as id`,
  )
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
