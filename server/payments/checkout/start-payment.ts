import { plainText } from '../../plain-text.ts'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import type { Payer } from '../cards/customers.ts'
import { paymentErrors } from '../errors.ts'
import type { Payments } from '../payments.ts'
import { type How, type Paying, pay } from './pay.ts'
import type { PaymentKind, SinglePayment } from './single-payment.ts'

/**
 * Buys a pay-per-view post (POST-45).
 * @param db the fan's own view: a post that they can't see doesn't exist for them, and one that is open to them isn't sold.
 * @throws 404 for a post that is missing, hidden, or not for sale; 409 for the fan's own, one bought already, or a creator who
 * can't take payments; 403 across a block.
 */
export async function startPurchase(
  payments: Payments,
  db: CallerDb,
  fan: Payer,
  postId: string,
  how: How,
): Promise<Paying> {
  const [visible] = await db.rows<{ is_locked: boolean }>(sql`
    select is_locked from public.posts where id = ${postId} and post_type = 'ppv'`)
  if (!visible) throw paymentErrors.postNotFound()
  const quote = () =>
    quoteOf(payments, 'ppv', postId, sql`select * from private.quote_purchase(${fan.profileId}, ${postId})`)
  const payment = await quote()
  if (!visible.is_locked) throw paymentErrors.postOpen()
  return pay(payments, fan, payment, how, quote)
}

/**
 * Gives a tip (PROF-21, D28).
 * @param postId the post under which it is given; one of this creator's that the fan may see.
 * @param goalId the goal toward which it is given (OFFER-07).
 * @param note what the creator reads with it. In one line and without marks that would turn around the text of the notification.
 */
export async function startTip(
  payments: Payments,
  db: CallerDb,
  fan: Payer,
  tip: {
    readonly creatorId: string
    readonly amountCents: number
    readonly postId: string | null
    readonly goalId: string | null
    readonly note: string | null
  },
  how: How,
): Promise<Paying> {
  const { creatorId, amountCents, postId, goalId } = tip
  if (postId !== null) {
    const [visible] = await db.rows(sql`
      select id from public.posts where id = ${postId} and creator_id = ${creatorId}`)
    if (!visible) throw paymentErrors.postNotFound()
  }
  const note = plainText(tip.note ?? '') || null
  const quote = async () => ({ ...(await quoteTip(payments, fan, creatorId, amountCents, { postId, goalId })), note })
  return pay(payments, fan, await quote(), how, quote)
}

/**
 * Unlocks a paid message (MSG-08).
 * @param db the fan's own view: a message that wasn't sent to them doesn't exist for them.
 * @throws 404 for a message that doesn't exist for them; 409 for one that is already open.
 */
export async function startUnlock(
  payments: Payments,
  db: CallerDb,
  fan: Payer,
  messageId: string,
  how: How,
): Promise<Paying> {
  const [visible] = await db.rows(sql`select id from public.messages where id = ${messageId}`)
  if (!visible) throw paymentErrors.messageNotFound()
  const quote = () =>
    quoteOf(payments, 'message', messageId, sql`select * from private.quote_message(${fan.profileId}, ${messageId})`)
  return pay(payments, fan, await quote(), how, quote)
}

/** An offer with the start of a session, a slot, or a booking that the fan holds. */
type SessionChoice = { readonly id: string; readonly startsAt: string | null }

/**
 * Pays for a session (PRIV-03, LOOP-25, D41), which is held for the fan first.
 * @throws 404 for an unknown offer, slot, or booking; 409 for a time that is taken, or a hold that has expired.
 */
export async function startSessionPayment(
  payments: Payments,
  db: CallerDb,
  fan: Payer,
  choice: SessionChoice,
  how: How,
): Promise<Paying> {
  const id = await heldBooking(db, fan, choice)
  // The page may outlive the hold: a later payment still counts while the slot is free, and is refunded if it isn't.
  const quote = () =>
    quoteOf(payments, 'session', id, sql`select * from private.quote_session(${fan.profileId}, ${id})`)
  return pay(payments, fan, await quote(), how, quote)
}

/**
 * Pays for a gift that the fan has prepared with create_gift (OFFER-02).
 * @throws 404 for a gift of someone else, 409 for one that is paid, or whose plan isn't sold any more.
 */
export async function startGiftPayment(
  payments: Payments,
  _db: CallerDb,
  fan: Payer,
  giftId: string,
  how: How,
): Promise<Paying> {
  const quote = () =>
    quoteOf(payments, 'gift', giftId, sql`select * from private.quote_gift(${fan.profileId}, ${giftId})`)
  return pay(payments, fan, await quote(), how, quote)
}

async function heldBooking(db: CallerDb, fan: Payer, { id, startsAt }: SessionChoice): Promise<string> {
  const [held] =
    startsAt === null
      ? await heldByOrSlot(db, fan, id)
      : await db.rows<{ id: string }>(sql`select b.id from public.book_session_time(${id}, ${startsAt}) b`)
  if (!held) throw new Error('The database held no session.')
  return held.id
}

async function heldByOrSlot(db: CallerDb, fan: Payer, bookingOrSlotId: string): Promise<{ id: string }[]> {
  const booking = await db.rows<{ id: string }>(sql`
    select id from public.session_bookings where id = ${bookingOrSlotId} and fan_id = ${fan.profileId}`)
  return booking.length > 0
    ? booking
    : db.rows<{ id: string }>(sql`select b.id from public.book_session(${bookingOrSlotId}) b`)
}

/** How long a copy is held for a fan who is about to decide, and for one with an open page, which closes two minutes before (private.close_product_pages). */
const decisionSeconds = 180
const pageSeconds = 32 * 60

/**
 * Buys a product (OFFER-05). A copy of a limited one is held for the fan while they pay, so that nobody pays for what is sold out.
 * @param db the fan's own view: a product that they can't see doesn't exist for them.
 * @param amountCents what the fan pays for a product that takes more than its price; null for its price.
 * @throws 404 for a product that isn't sold; 409 for one that is sold out, or theirs already; 400 for an amount that isn't accepted.
 */
export async function startProductPurchase(
  payments: Payments,
  db: CallerDb,
  fan: Payer,
  product: { readonly id: string; readonly amountCents: number | null },
  how: How,
): Promise<Paying> {
  const { id, amountCents } = product
  const [visible] = await db.rows(sql`select id from public.products where id = ${id}`)
  if (!visible) throw paymentErrors.productNotFound()
  const hold = (seconds: number) =>
    payments.database.service.rows(sql`select private.hold_product(${fan.profileId}, ${id}, ${seconds})`)
  const quote = () =>
    quoteOf(payments, 'product', id, sql`select * from private.quote_product(${fan.profileId}, ${id}, ${amountCents})`)
  const payment = await quote()
  await hold(decisionSeconds)
  const paying = await pay(payments, fan, payment, how, quote)
  if ('url' in paying) await hold(pageSeconds)
  return paying
}

/** @throws 400 for an amount out of bounds, 404, 409 or 403 for a creator who can't be paid by this fan, or a goal that has ended or isn't theirs. */
export async function quoteTip(
  payments: Payments,
  fan: Pick<Payer, 'profileId'>,
  creatorId: string,
  amountCents: number,
  { postId, goalId = null }: { readonly postId: string | null; readonly goalId?: string | null },
): Promise<SinglePayment> {
  const quote = sql`select * from private.quote_tip(${fan.profileId}, ${creatorId}, ${amountCents}, ${goalId})`
  return { ...(await quoteOf(payments, 'tip', postId, quote)), goalId }
}

type Quote = {
  readonly creator_id: string
  readonly stripe_account_id: string
  readonly amount_cents: number
  readonly title: string
}

async function quoteOf(
  { database }: Payments,
  kind: PaymentKind,
  subjectId: string | null,
  statement: ReturnType<typeof sql>,
): Promise<SinglePayment> {
  const [quote] = await database.service.rows<Quote>(statement)
  const [creator] = await database.service.rows<{ username: string }>(sql`
    select username from private.profiles where id = ${quote?.creator_id ?? null}`)
  if (!quote || !creator) throw paymentErrors.creatorNotFound()
  return {
    kind,
    creatorId: quote.creator_id,
    creatorUsername: creator.username,
    accountId: quote.stripe_account_id,
    amountCents: quote.amount_cents,
    title: quote.title,
    subjectId,
    note: null,
    goalId: null,
  }
}
