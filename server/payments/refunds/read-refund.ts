import type { CallerDb } from '../../postgres/caller-db.ts'
import { fragment, sql } from '../../postgres/sql.ts'
import type { PaymentKind } from '../checkout/single-payment.ts'

/** How a fan's payment was returned in full, by a refund or a dispute. */
export type RefundView = {
  readonly at: Date
  readonly amountCents: number
  /** The bank rejected the refund: the money is still on its way. */
  readonly hasFailed: boolean
}

type SinglePaymentOf = {
  readonly fanId: string
  readonly creatorId: string
  readonly kind: PaymentKind
  /** posts.id, messages.id, session_bookings.id, gifts.id, or products.id. For a tip, the post under which it was given, if any. */
  readonly subjectId: string | null
  readonly amountCents: number | null
  /** Of several payments for the same thing, this time finds the one. */
  readonly paidAt: Date
}

/**
 * The refund of one payment, undefined if it wasn't returned in full.
 * @param db the fan's own view: row-level security limits it to their payments.
 */
export async function readRefund(db: CallerDb, payment: SinglePaymentOf): Promise<RefundView | undefined> {
  const { fanId, creatorId, kind, subjectId, amountCents, paidAt } = payment
  const isOfSubject = {
    ppv: () => fragment`t.transaction_type = 'ppv' and t.post_id = ${subjectId}`,
    tip: () => fragment`t.transaction_type = 'tip' and t.amount = ${amountCents}
      and t.post_id is not distinct from ${subjectId}::uuid`,
    message: () => fragment`t.transaction_type = 'paid_message' and t.message_id = ${subjectId}`,
    session: () => fragment`t.transaction_type = 'private_session'
      and t.id = (select b.transaction_id from public.session_bookings b where b.id = ${subjectId})`,
    gift: () => fragment`t.transaction_type = 'gift' and t.amount = ${amountCents}`,
    product: () => fragment`t.transaction_type = 'product' and t.bought_product_id = ${subjectId}`,
  }
  const [refund] = await db.rows<RefundView>(sql`
    select r.* from (
      select t.id, t.amount, t.refunded_amount from public.transactions t
      where t.from_user_id = ${fanId} and t.to_user_id = ${creatorId} and ${isOfSubject[kind]()}
      order by abs(extract(epoch from t.created_at - ${paidAt}::timestamptz)) limit 1
    ) payment, lateral (${refundOfPayment}) r`)
  return refund
}

/** The refund of the latest payment for the fan's latest subscription to a creator, undefined if it wasn't returned in full. */
export async function readSubscriptionRefund(
  db: CallerDb,
  fanId: string,
  creatorId: string,
): Promise<RefundView | undefined> {
  const [refund] = await db.rows<RefundView>(sql`
    select r.* from (
      select t.id, t.amount, t.refunded_amount from public.transactions t
      where t.transaction_type = 'subscription' and t.subscription_id = (
        select s.id from public.subscriptions s
        where s.subscriber_id = ${fanId} and s.creator_id = ${creatorId} and s.status not in ('incomplete', 'incomplete_expired')
        order by s.created_at desc, s.id desc limit 1
      )
      order by t.created_at desc, t.id desc limit 1
    ) payment, lateral (${refundOfPayment}) r`)
  return refund
}

/** The columns of RefundView; no row for a payment of which something is left. */
const refundOfPayment = fragment`
  select max(back.created_at) as at, payment.amount::int as "amountCents", bool_or(back.status = 'failed') as "hasFailed"
  from public.transactions back
  where back.original_transaction_id = payment.id and back.transaction_type = 'refund' and back.amount < 0
    and payment.refunded_amount = payment.amount
  having count(*) > 0`
