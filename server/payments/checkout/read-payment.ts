import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import { paymentErrors } from '../errors.ts'
import type { Payments } from '../payments.ts'
import { type RefundView, readRefund } from '../refunds/read-refund.ts'
import { fulfillCheckout } from './fulfill-checkout.ts'
import type { PaymentKind } from './single-payment.ts'

/** The state of a single payment, for the page to which the fan returns. */
export type PaymentView = {
  readonly status: 'paid' | 'refunded' | 'open' | 'expired' | 'none'
  readonly kind: PaymentKind | null
  /** The post, message, booking, gift, or product; the creator's profile for a tip. */
  readonly targetId: string | null
  readonly amountCents: number | null
  /** Whether the fan has received the purchase: the post or message is unlocked, the session booked, the product theirs, the tip or gift paid. */
  readonly hasAccess: boolean
  /** Null unless the whole payment was returned. */
  readonly refund: RefundView | null
}

type Known = {
  readonly id: string
  readonly kind: PaymentKind
  readonly status: 'open' | 'complete' | 'expired'
  readonly creator_id: string
  readonly subject_id: string | null
  readonly amount_cents: number
  readonly paid_at: Date
}

/**
 * Reads how the fan's payment ended. Before the webhook arrives, it asks Stripe, whose response grants access; this call doesn't.
 * @throws 404 if the session isn't this fan's.
 */
export async function readPayment(
  payments: Payments,
  db: CallerDb,
  fanId: string,
  about: { readonly sessionId: string | null; readonly targetId: string | null },
): Promise<PaymentView> {
  const { sessionId, targetId } = about
  const [known] = await payments.database.service.rows<Known>(sql`
    select id, kind, status, creator_id, coalesce(post_id, message_id, booking_id, gift_id, bought_product_id) as subject_id, amount_cents,
      coalesce(completed_at, now()) as paid_at
    from private.checkout_sessions
    where profile_id = ${fanId} and kind <> 'subscription'
      and case when ${sessionId}::text is null
        then kind <> 'tip' and ${targetId}::uuid in (post_id, message_id, booking_id, gift_id, bought_product_id)
        else id = ${sessionId}::text end
    order by created_at desc, id desc limit 1`)
  if (!known && sessionId !== null) throw paymentErrors.paymentNotFound()
  const status = known?.status === 'open' ? (await fulfillCheckout(payments, known.id)).status : known?.status
  const isTip = known?.kind === 'tip'
  const subjectId = known ? known.subject_id : targetId
  // What is for someone else gives the fan nothing to open.
  const isGiven = isTip || known?.kind === 'gift'
  const isTheirs = isGiven ? status === 'complete' : await isOpenTo(db, fanId, subjectId)
  // Something that was paid for again is theirs, whatever became of the first payment.
  const mayBeReturned = known && status === 'complete' && (isGiven || !isTheirs)
  const refund = mayBeReturned ? await readRefund(db, paymentOf(known, fanId)) : undefined
  return {
    status: refund ? 'refunded' : statusNames[status ?? 'none'],
    kind: known?.kind ?? null,
    targetId: isTip ? known.creator_id : subjectId,
    amountCents: known?.amount_cents ?? null,
    hasAccess: isTheirs && !refund,
    refund: refund ?? null,
  }
}

/** A pending payment is neither paid nor over: the page asks again. */
const statusNames = { complete: 'paid', pending: 'open', open: 'open', expired: 'expired', none: 'none' } as const

const paymentOf = ({ kind, creator_id, subject_id, amount_cents, paid_at }: Known, fanId: string) => ({
  fanId,
  kind,
  creatorId: creator_id,
  subjectId: subject_id,
  amountCents: amount_cents,
  paidAt: paid_at,
})

/** An id names one thing only, so the query checks all four. */
async function isOpenTo(db: CallerDb, fanId: string, id: string | null): Promise<boolean> {
  const [answer] = await db.rows<{ theirs: boolean }>(sql`
    select exists (select from public.posts where id = ${id} and not is_locked)
      or exists (select from public.messages where id = ${id} and not is_locked)
      or exists (select from public.session_bookings
        where id = ${id} and fan_id = ${fanId} and state in ('requested', 'accepted', 'completed'))
      or exists (select from public.product_purchases where product_id = ${id} and buyer_id = ${fanId}) as theirs`)
  return answer?.theirs ?? false
}
