import type Stripe from 'stripe'
import type { CallerDb } from '../../postgres/caller-db.ts'
import { sql } from '../../postgres/sql.ts'
import { paymentErrors } from '../errors.ts'
import type { Payments } from '../payments.ts'
import { readSubscriptions, type SubscriptionView } from './read-subscription.ts'
import { setPauseNow } from './set-pause.ts'
import { syncSubscription } from './sync-subscription.ts'

/** A subscription that its own fan wants to change. */
export type OwnSubscription = {
  readonly id: string
  readonly stripeId: string
  readonly fanId: string
  readonly creatorId: string
}

/**
 * The fan's subscription with its id at Stripe.
 * @throws 404 for one that is missing or belongs to another fan: its creator and admins can see it, but can't decide for the fan.
 */
export async function requireOwnSubscription(
  { database }: Payments,
  fanId: string,
  id: string,
): Promise<OwnSubscription> {
  const [own] = await database.service.rows<OwnSubscription>(sql`
    select s.id, at_stripe.stripe_subscription_id as "stripeId", s.subscriber_id as "fanId", s.creator_id as "creatorId"
    from public.subscriptions s join private.stripe_subscriptions at_stripe on at_stripe.subscription_id = s.id
    where s.id = ${id} and s.subscriber_id = ${fanId}`)
  if (!own) throw paymentErrors.subscriptionNotFound()
  return own
}

/**
 * Stripe's current state of an active subscription; ours may be old. An ended one is recorded before it is rejected.
 * @throws 409 for one that has ended.
 */
export async function requireRunning(payments: Payments, own: OwnSubscription): Promise<Stripe.Subscription> {
  const subscription = await payments.stripe.api.subscriptions.retrieve(own.stripeId)
  if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired') {
    await syncSubscription(payments, own.stripeId)
    throw paymentErrors.subscriptionEnded()
  }
  return subscription
}

/** @throws 409 while the platform pauses the renewal: a party is suspended, or the creator can't be paid. */
export async function requireRenewable({ database }: Payments, own: OwnSubscription): Promise<void> {
  const [found] = await database.service.rows<{ bar: string | null }>(sql`
    select private.renewal_block_reason(${own.fanId}, ${own.creatorId}) as bar`)
  if (found?.bar) throw paymentErrors.renewalHeld()
}

/**
 * Cancels the subscription at the end of its period, or takes that back (SUB-05). Repeating it changes nothing.
 * @throws 409 for one that has ended, and for a renewal that is paused.
 */
export async function setCancelAtPeriodEnd(payments: Payments, own: OwnSubscription, cancel: boolean): Promise<void> {
  if (!cancel) await requireRenewable(payments, own)
  const subscription = await requireRunning(payments, own)
  // Even if the platform has already paused it: the fan has decided, and nothing resumes it for them.
  if (cancel) await payments.database.service.rows(sql`select private.release_renewal(${own.id})`)
  if (cancel && (await endPauseToCancel(payments, own))) {
    // The paid period is over, and nothing is left to use.
    await payments.stripe.api.subscriptions.cancel(own.stripeId)
  } else if (subscription.cancel_at_period_end !== cancel) {
    await payments.stripe.api.subscriptions.update(own.stripeId, { cancel_at_period_end: cancel })
  }
  await syncSubscription(payments, own.stripeId)
}

/** A fan who leaves has no pause to come back from. @returns whether they were paused already. */
async function endPauseToCancel(payments: Payments, own: OwnSubscription): Promise<boolean> {
  const [present] = await payments.database.service.rows<{ isPaused: boolean }>(sql`
    select paused_from <= now() as "isPaused" from public.subscriptions where id = ${own.id} and paused_from is not null`)
  if (!present || present.isPaused) return present?.isPaused === true
  await payments.database.service.rows(sql`select private.undo_pause(${own.id})`)
  await setPauseNow(payments, own.id)
  return false
}

/** The subscription as its fan sees it now. */
export async function viewSubscription(db: CallerDb, own: OwnSubscription): Promise<SubscriptionView | null> {
  const views = await readSubscriptions(db, own.fanId, own.creatorId)
  return views.find(({ id }) => id === own.id) ?? null
}
