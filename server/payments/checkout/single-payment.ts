import { splitPayment } from '@ovation/contract/fees'
import type Stripe from 'stripe'
import { sql } from '../../postgres/sql.ts'
import type { Payer } from '../cards/customers.ts'
import type { Payments } from '../payments.ts'

/** What a one-time payment is for: a post, a tip, a paid message, a private session (D40), a gift, a product (OFFER-02, OFFER-05). */
export type PaymentKind = 'ppv' | 'tip' | 'message' | 'session' | 'gift' | 'product'

/** One payment, as quoted by the database. Only the amount, the note, and the goal of a tip, and the amount for a product that takes more, come from the client. */
export type SinglePayment = {
  readonly kind: PaymentKind
  readonly creatorId: string
  readonly creatorUsername: string
  readonly accountId: string
  readonly amountCents: number
  /** Its name on the page and the receipt. */
  readonly title: string
  /** posts.id, messages.id, session_bookings.id, gifts.id, or products.id. For a tip, the post under which it is given, if any. */
  readonly subjectId: string | null
  /** What the fan writes to the creator with a tip; null for none, and for other payments. */
  readonly note: string | null
  /** goals.id that a tip is given toward (OFFER-07); null for none, and for other payments. */
  readonly goalId: string | null
}

/** The client's id for one payment attempt, however often the button is clicked; null if it sends none. */
export type AttemptId = string | null

/** The metadata key of a payment's subject at Stripe, and its column here. */
export const subjectNames = {
  ppv: 'post_id',
  tip: 'post_id',
  message: 'message_id',
  session: 'booking_id',
  gift: 'gift_id',
  product: 'bought_product_id',
} as const satisfies Record<PaymentKind, string>

/** The payment intent's metadata, however it is paid: whose it is, what was agreed on, and how it is split. */
export function intentParams({ config }: Payments, fan: Payer, payment: SinglePayment) {
  const { kind, creatorId, accountId, amountCents, title, subjectId, note, goalId } = payment
  const { feeCents } = splitPayment(amountCents, config.platformFeePercent)
  const metadata = {
    kind,
    profile_id: fan.profileId,
    creator_id: creatorId,
    ...(subjectId !== null && { [subjectNames[kind]]: subjectId }),
    ...(note !== null && { note }),
    ...(goalId !== null && { goal_id: goalId }),
    // To be compared with the charged amount.
    amount_cents: String(amountCents),
    fee_cents: String(feeCents),
  }
  return {
    description: title,
    metadata,
    transfer_data: { destination: accountId },
    ...(feeCents > 0 && { application_fee_amount: feeCents }),
  } satisfies Stripe.Checkout.SessionCreateParams.PaymentIntentData & Partial<Stripe.PaymentIntentCreateParams>
}

/** A checkout page, or a one-click payment, which has no page. */
export type KnownPayment = {
  readonly id: string
  readonly url: string | null
  readonly status: 'open' | 'complete' | 'expired'
  /** The same thing for the same amount, with the same note and goal. */
  readonly same: boolean
  readonly attemptId: AttemptId
  readonly ageSeconds: number
}

/** A page that isn't over, as far as we know. */
export type OpenSession = KnownPayment & { readonly url: string }

export function isOpenSession(known: KnownPayment): known is OpenSession {
  return known.status === 'open' && known.url !== null
}

/** The fan's payments for the same thing, newest first: for one post, message, booking, gift, or product, or tips to this creator. */
export function readPayments({ database }: Payments, fan: Payer, payment: SinglePayment): Promise<KnownPayment[]> {
  const { kind, creatorId, subjectId, amountCents, note, goalId } = payment
  return database.service.rows<KnownPayment>(sql`
    select id, url, status, attempt_id as "attemptId", extract(epoch from now() - created_at)::float8 as "ageSeconds",
      amount_cents = ${amountCents} and coalesce(post_id, message_id, booking_id, gift_id, bought_product_id) is not distinct from ${subjectId}::uuid
        and note is not distinct from ${note}::text and goal_id is not distinct from ${goalId}::uuid as same
    from private.checkout_sessions
    where profile_id = ${fan.profileId} and creator_id = ${creatorId} and kind = ${kind}
      and (kind = 'tip' or coalesce(post_id, message_id, booking_id, gift_id, bought_product_id) = ${subjectId}::uuid)
    order by created_at desc, id desc limit 20`)
}

export async function rememberPayment(
  { database }: Payments,
  fan: Payer,
  payment: SinglePayment,
  made: { readonly id: string; readonly url: string | null; readonly attemptId?: AttemptId },
): Promise<void> {
  const subjectIn = (column: (typeof subjectNames)[PaymentKind]) =>
    subjectNames[payment.kind] === column ? payment.subjectId : null
  await database.service.rows(sql`
    insert into private.checkout_sessions (id, kind, profile_id, creator_id, post_id, message_id, booking_id, gift_id, bought_product_id,
      amount_cents, note, goal_id, attempt_id, url, status, completed_at)
    values (${made.id}, ${payment.kind}, ${fan.profileId}, ${payment.creatorId}, ${subjectIn('post_id')},
      ${subjectIn('message_id')}, ${subjectIn('booking_id')}, ${subjectIn('gift_id')}, ${subjectIn('bought_product_id')},
      ${payment.amountCents}, ${payment.note}, ${payment.goalId}, ${made.attemptId ?? null}, ${made.url},
      case when ${made.url}::text is null then 'complete' else 'open' end, case when ${made.url}::text is null then now() end)
    on conflict (id) do nothing`)
}
