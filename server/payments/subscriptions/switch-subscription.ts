import Stripe from 'stripe'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import { paymentErrors } from '../errors.ts'
import type { Payments } from '../payments.ts'
import { idOf } from '../stripe-values.ts'
import { moveSubscription } from './move-subscription.ts'
import { type OwnSubscription, requireRenewable, requireRunning } from './own-subscription.ts'
import { readConfirmation } from './read-confirmation.ts'
import { recordInvoice } from './record-invoice.ts'
import { syncSubscription } from './sync-subscription.ts'

/** Stripe charges no card less than 50 cents, plus a margin for the seconds until it computes the same difference. */
const worthChargingCents = 60

/** What a fan switches to: a plan, and how many of its intervals a period has. */
type Target = { readonly productId: string; readonly intervalCount: number }

/** A switch that waits for the fan's bank until `expiresAt`. */
export type BankQuestion = { readonly url: string; readonly expiresAt: Date }

/**
 * Moves a fan to another plan of the same creator (SUB-04), or to another term of the same plan (OFFER-01). A more expensive plan costs the difference for the rest of the period now. A
 * difference too small for a card, and the credit of a cheaper plan, come with the next bill of this subscription. A credit never
 * exceeds that bill: Stripe would keep it with the customer, and another creator would be paid with it. A canceled plan
 * resumes. A free trial doesn't carry over to a more expensive plan: it lasts as long as that plan's own trial would have. If that
 * is over, or there is none, the first period is paid now. Nothing changes if the card is declined, or until a bank that requires
 * confirmation has it.
 * @returns the page on which the fan confirms with their bank; undefined once the plan is switched.
 * @throws 404, 409 for a plan that isn't offered or can't be switched to, 402 if the card was declined.
 */
export async function switchSubscription(
  payments: Payments,
  db: CallerDb,
  own: OwnSubscription,
  wanted: Target,
): Promise<BankQuestion | undefined> {
  const { priceId, trialDays } = await requireTarget(payments, db, own, wanted)
  await requireRenewable(payments, own)
  const running = await requireRunning(payments, own)
  // The switch pays the creator, even if the fan had canceled.
  const subscription = isPaid(running) ? await moveSubscription(payments, running, true) : running
  const item = subscription.items.data[0]
  if (!item) throw new Error(`${own.stripeId} has no items`)
  if (await isPriceOf(payments, item.price.id, wanted)) {
    await syncSubscription(payments, own.stripeId)
    throw paymentErrors.alreadySubscribed()
  }
  if (!isPaid(subscription)) throw paymentErrors.switchNotPaid()
  // Stripe would void the invoice of the difference, which would make the switch free.
  if (subscription.pause_collection) throw paymentErrors.switchPaused()
  // The price doesn't say how much was paid for the period, so the difference would be wrong for one side.
  if (subscription.discounts.length > 0 || (await hasOfferDiscount(payments, own)))
    throw paymentErrors.switchDiscounted()
  const waiting = await readConfirmation(payments, subscription)
  if (waiting?.change?.priceId === priceId && waiting.bankAsks) return askBank(payments, own, subscription)
  if (waiting?.change) await dropSwitch(payments, own, waiting.invoiceId)
  const price = await payments.stripe.api.prices.retrieve(priceId)
  const prorationBehavior = prorate(subscription, item, price)
  const trialEnd = trialAfterSwitch(subscription, item.price, price, trialDays)
  try {
    const switched = await payments.stripe.api.subscriptions.update(own.stripeId, {
      items: [{ id: item.id, price: priceId }],
      proration_behavior: prorationBehavior,
      payment_behavior: 'pending_if_incomplete',
      ...(trialEnd !== undefined && { trial_end: trialEnd }),
      ...(subscription.cancel_at_period_end && { cancel_at_period_end: false }),
    })
    if (switched.pending_update) return await askBank(payments, own, switched)
    const invoiceId = idOf(switched.latest_invoice)
    // The webhook brings the same result, but the fan needn't wait for it.
    if (invoiceId !== undefined) await recordInvoice(payments, invoiceId)
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError) throw paymentErrors.cardDeclined(error)
    throw error
  }
  await syncSubscription(payments, own.stripeId)
  return undefined
}

const isPaid = ({ status }: Stripe.Subscription): boolean => status === 'active' || status === 'trialing'

/** @throws 402 if the bank declined instead of requiring confirmation: nothing waits any more. */
async function askBank(
  payments: Payments,
  own: OwnSubscription,
  waiting: Stripe.Subscription,
): Promise<BankQuestion | undefined> {
  const confirmation = await readConfirmation(payments, waiting)
  if (confirmation?.change && !confirmation.bankAsks) {
    await dropSwitch(payments, own, confirmation.invoiceId)
    throw paymentErrors.cardDeclined(undefined)
  }
  await syncSubscription(payments, own.stripeId)
  // Already gone: the fan has answered in the meantime.
  return confirmation?.change && { url: confirmation.url, expiresAt: confirmation.change.expiresAt }
}

/** Withdraws a switch that waits for its payment: another one replaces it, or nobody can pay it. */
async function dropSwitch(payments: Payments, own: OwnSubscription, invoiceId: string): Promise<void> {
  // First, so that the fan gets no notice that it wasn't confirmed in time.
  await payments.database.service.rows(sql`
    delete from private.subscription_confirmations where subscription_id = ${own.id} and invoice_id = ${invoiceId}`)
  await payments.stripe.api.invoices.voidInvoice(invoiceId).catch(async (error: unknown) => {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
    // Paid at this very moment: the fan has the new plan.
    await syncSubscription(payments, own.stripeId)
    throw paymentErrors.paymentPending(error)
  })
}

async function requireTarget(
  { database }: Payments,
  db: CallerDb,
  own: OwnSubscription,
  { productId, intervalCount }: Target,
): Promise<{ priceId: string; trialDays: number }> {
  const [visible] = await db.rows(sql`
    select id from public.subscription_products where id = ${productId} and creator_id = ${own.creatorId}`)
  if (!visible) throw paymentErrors.planNotFound()
  const [plan] = await database.service.rows<{ priceId: string; trialDays: number }>(sql`
    select stripe_price_id as "priceId", trial_days as "trialDays" from private.quote_plan(${own.fanId}, ${productId}, ${intervalCount})`)
  if (!plan) throw paymentErrors.planNotFound()
  return plan
}

/** Stripe forgets a coupon for one bill with that bill; the period that it paid for goes on. */
async function hasOfferDiscount({ database }: Payments, own: OwnSubscription): Promise<boolean> {
  const [found] = await database.service.rows<{ has: boolean }>(sql`
    select private.has_offer_discount(${own.id}) as has`)
  return found?.has ?? false
}

/** Whether it is the fan's plan and term already, perhaps at an earlier price. */
async function isPriceOf(
  { database }: Payments,
  priceId: string,
  { productId, intervalCount }: Target,
): Promise<boolean> {
  const [same] = await database.service.rows(sql`
    select from private.stripe_prices
    where stripe_price_id = ${priceId} and product_id = ${productId} and interval_count = ${intervalCount}`)
  return same !== undefined
}

const daySeconds = 86_400
/** Stripe rejects a time that its clock has passed. */
const clockMarginSeconds = 60

/**
 * When the trial ends after a switch; undefined leaves it unchanged. Counted from when the trial began, so that switching back and forth
 * never makes it longer.
 */
function trialAfterSwitch(
  { status, trial_start: start, trial_end: end }: Stripe.Subscription,
  present: Stripe.Price,
  wanted: Stripe.Price,
  trialDays: number,
): 'now' | number | undefined {
  if (status !== 'trialing' || start === null || end === null || !isDearer(wanted, present)) return undefined
  if (trialDays === 0) return 'now'
  const ownEnd = start + trialDays * daySeconds
  if (ownEnd >= end) return undefined
  return ownEnd <= Date.now() / 1000 + clockMarginSeconds ? 'now' : ownEnd
}

/** By bill or by day: a year at once is more than a month, even if its days cost less. */
function isDearer(one: Stripe.Price, other: Stripe.Price): boolean {
  const bill = ({ unit_amount }: Stripe.Price) => unit_amount ?? 0
  const perDay = (price: Stripe.Price) => bill(price) / daysOf(price)
  return bill(one) > bill(other) || perDay(one) > perDay(other)
}

const days: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 }
const daysOf = ({ recurring }: Stripe.Price): number =>
  (recurring?.interval_count ?? 1) * (days[recurring?.interval ?? 'month'] ?? 30)

function prorate(
  { status }: Stripe.Subscription,
  { price: present, current_period_start: start, current_period_end: end }: Stripe.SubscriptionItem,
  wanted: Stripe.Price,
): Stripe.SubscriptionUpdateParams.ProrationBehavior {
  if (status === 'trialing') return 'none' // nothing has been paid yet
  const before = present.unit_amount ?? 0
  const after = wanted.unit_amount ?? 0
  const sameRhythm =
    present.recurring?.interval === wanted.recurring?.interval &&
    present.recurring?.interval_count === wanted.recurring?.interval_count
  if (!sameRhythm) {
    // A new period begins, less the rest of the old one: at most the old price.
    if (after < before + worthChargingCents) throw paymentErrors.switchTooCheap()
    return 'always_invoice'
  }
  if (2 * after < before + worthChargingCents) throw paymentErrors.switchTooCheap()
  const share = Math.min(Math.max((end - Date.now() / 1000) / (end - start), 0), 1)
  return (after - before) * share >= worthChargingCents ? 'always_invoice' : 'create_prorations'
}
