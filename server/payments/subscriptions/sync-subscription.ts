import type Stripe from 'stripe'
import { sql } from '../../postgres/sql.ts'
import type { Payments } from '../payments.ts'
import { timeOf } from '../stripe-values.ts'
import { type Confirmation, readConfirmation } from './read-confirmation.ts'

/** A subscription of ours, as Stripe has it now and the database has taken it over. */
export type SyncedSubscription = {
  readonly subscriptionId: string
  readonly subscriberId: string
  readonly creatorId: string
  readonly productId: string
  /** The platform's share, fixed when the fan subscribed. */
  readonly feePercent: number
}

/**
 * Asks Stripe how a subscription stands and takes the answer over. Events only say that something happened: whatever their order,
 * number and delay, the state that is written is one that Stripe had after the event.
 * @returns undefined for a subscription that is not ours, or whose people or plan are gone.
 */
export async function syncSubscription(payments: Payments, stripeId: string): Promise<SyncedSubscription | undefined> {
  const { subscription, synced } = await takeOver(payments, stripeId)
  if (synced) {
    await endDuplicates(payments, synced, subscription)
    await payments.database.service.rows(sql`select private.settle_renewal(${synced.subscriptionId})`)
  } else payments.log.warn({ stripeId }, 'a subscription at Stripe belongs to nobody here')
  return synced && { ...synced, feePercent: subscription.application_fee_percent ?? 0 }
}

/** As `syncSubscription`, for many: one that Stripe does not know stays as it is, and holds up none of the others. */
export async function syncWhereKnown(payments: Payments, stripeId: string): Promise<void> {
  await syncSubscription(payments, stripeId).catch(ignoreUnknown(payments, stripeId))
}

const ignoreUnknown =
  ({ log }: Payments, stripeId: string) =>
  (error: { code?: string }): undefined => {
    if (error.code !== 'resource_missing') throw error
    log.warn({ stripeId }, 'the provider does not know a subscription that is known here')
  }

/** How long a page to pay on lives: two that began further apart were two purchases. */
const pageSeconds = 86_400

type People = Omit<SyncedSubscription, 'feePercent'>

/**
 * A fan has one subscription with a creator. Two pages that were paid in the same moment are two that run: the one that began first stays,
 * in whatever order we hear of them, and the database adds tasks to end the other and to refund it. One that nobody pays for
 * any more gives way to one that runs, as its last bill could still be paid; what it took in earlier times stays paid.
 */
async function endDuplicates(
  payments: Payments,
  { subscriberId, creatorId }: People,
  subscription: Stripe.Subscription,
): Promise<void> {
  const { service } = payments.database
  const known = await service.rows<{ id: string }>(sql`
    select at_stripe.stripe_subscription_id as id
    from public.subscriptions s join private.stripe_subscriptions at_stripe on at_stripe.subscription_id = s.id
    where s.subscriber_id = ${subscriberId} and s.creator_id = ${creatorId} and s.status in ('active', 'trial', 'past_due', 'unpaid')
      and not at_stripe.is_duplicate`)
  const beside = known.filter(({ id }) => id !== subscription.id)
  if (beside.length === 0 || beside.length === known.length) return
  const running = [subscription]
  for (const { id } of beside) {
    // What we had heard may be old: one that has ended meanwhile is in nobody's way.
    const other = await takeOver(payments, id).catch(ignoreUnknown(payments, id))
    if (other && ['active', 'trialing', 'past_due', 'unpaid'].includes(other.subscription.status))
      running.push(other.subscription)
  }
  const isUnpaid = ({ status }: Stripe.Subscription) => Number(status === 'unpaid')
  const [kept, ...others] = running.toSorted(
    (a, b) => isUnpaid(a) - isUnpaid(b) || a.created - b.created || (a.id < b.id ? -1 : 1),
  )
  for (const { id, created, status } of others) {
    const isOld = status === 'unpaid' && Math.abs(created - (kept?.created ?? 0)) > pageSeconds
    if (isOld)
      await service.rows(sql`
        select private.end_subscription(subscription_id, 'There is a new subscription to this creator.')
        from private.stripe_subscriptions where stripe_subscription_id = ${id}`)
    else await service.rows(sql`select private.end_duplicate(${id})`)
  }
}

/** Stripe's word on a subscription, and what became of it here. */
async function takeOver(
  payments: Payments,
  stripeId: string,
): Promise<{ subscription: Stripe.Subscription; synced: People | undefined }> {
  // The moment before the question is asked: of two answers that arrive in the wrong order, the one asked for later is newer.
  const askedAt = new Date()
  const subscription = await payments.stripe.api.subscriptions.retrieve(stripeId)
  const confirmation = await readConfirmation(payments, subscription)
  return { subscription, synced: await apply(payments, subscription, askedAt, confirmation) }
}

async function apply(
  { database }: Payments,
  subscription: Stripe.Subscription,
  askedAt: Date,
  confirmation: Confirmation | undefined,
): Promise<People | undefined> {
  const { profile_id: subscriberId, creator_id: creatorId, product_id: productId } = subscription.metadata
  const item = subscription.items.data[0]
  if (!subscriberId || !creatorId || !productId || !item) return undefined
  const endsWithPeriod = subscription.cancel_at !== null && subscription.cancel_at <= item.current_period_end
  // It was to end with the period, and then was ended at once (a refund): Stripe still has the earlier request, which gives no access.
  const endedEarly = subscription.ended_at !== null && subscription.ended_at < item.current_period_end
  const [synced] = await database.service.rows<People>(sql`
    with applied as materialized (select
      private.apply_subscription_state(${subscription.id}, f.id, c.id, p.id, ${subscription.status},
        ${timeOf(item.current_period_start)}, ${timeOf(item.current_period_end)}, ${timeOf(subscription.trial_end)},
        ${(subscription.cancel_at_period_end || endsWithPeriod) && !endedEarly}, ${timeOf(subscription.canceled_at)}, ${askedAt}
      ) as "subscriptionId",
      f.id as "subscriberId", c.id as "creatorId", p.id as "productId"
    from private.profiles f, private.profiles c, public.subscription_products p
    where f.id = ${subscriberId} and c.id = ${creatorId}
      -- The price that is charged says which plan it is; the metadata says which it was at first.
      and p.id = coalesce((select s.product_id from private.stripe_products s where s.stripe_price_id = ${item.price.id}), ${productId})
    )
    -- In one transaction with the state: the email about a renewal that failed knows whether a bank asks.
    select a.*, private.settle_confirmation(a."subscriptionId", ${askedAt}, ${confirmation?.invoiceId ?? null}, ${confirmation?.url ?? null},
      (select s.product_id from private.stripe_products s where s.stripe_price_id = ${confirmation?.change?.priceId ?? null}),
      ${confirmation?.change?.expiresAt ?? null}, ${confirmation?.bankAsks ?? false}) as "settled"
    from applied a`)
  return synced
}
