import type Stripe from 'stripe'
import { sql } from '../../postgres/sql.ts'
import { syncAccount } from '../accounts/accounts.ts'
import type { Payments } from '../payments.ts'
import { timeOf } from '../stripe-values.ts'
import { moveSubscription } from './move-subscription.ts'
import { type Confirmation, readConfirmation } from './read-confirmation.ts'
import { resumePaused } from './resume-paused.ts'

/** One of our subscriptions, as Stripe has it now and the database has stored it. */
export type SyncedSubscription = {
  readonly subscriptionId: string
  readonly subscriberId: string
  readonly creatorId: string
  readonly productId: string
  /** The platform's share, fixed when the fan subscribed. */
  readonly feePercent: number
}

/**
 * Stores a subscription's current state at Stripe. Events only say that something happened: whatever their order,
 * number, and delay, the stored state is one that Stripe had after the event.
 * @returns undefined if the subscription isn't ours, or its users or plan are gone.
 */
export async function syncSubscription(payments: Payments, stripeId: string): Promise<SyncedSubscription | undefined> {
  const { subscription, synced, askedAt } = await takeOver(payments, stripeId)
  if (synced) {
    await endDuplicates(payments, synced, subscription)
    await payments.database.service.rows(sql`select private.settle_renewal(${synced.subscriptionId})`)
    await moveSubscription(payments, subscription)
    if (await settlePause(payments, synced.subscriptionId, subscription, askedAt))
      await resumePaused(payments, synced.subscriptionId, stripeId)
  } else payments.log.warn({ stripeId }, 'a subscription at Stripe belongs to no one here')
  return synced && { ...synced, feePercent: subscription.application_fee_percent ?? 0 }
}

/** @returns whether a fan's pause is over, so that the next period must be paid. */
async function settlePause(
  { database }: Payments,
  id: string,
  { pause_collection: pause }: Stripe.Subscription,
  askedAt: Date,
): Promise<boolean> {
  const until = pause && (timeOf(pause.resumes_at)?.toISOString() ?? 'infinity')
  const [settled] = await database.service.rows<{ isOver: boolean }>(sql`
    select private.settle_pause(${id}, ${askedAt}, ${until}::timestamptz) as "isOver"`)
  return settled?.isOver === true
}

/** Like `syncSubscription`, for many: one that no longer exists at Stripe stays as it is, and doesn't hold up the others. */
export async function syncWhereKnown(payments: Payments, stripeId: string): Promise<void> {
  await syncSubscription(payments, stripeId).catch(ignoreUnknown(payments, stripeId))
}

const ignoreUnknown =
  ({ log }: Payments, stripeId: string) =>
  (error: { code?: string }): undefined => {
    if (error.code !== 'resource_missing') throw error
    log.warn({ stripeId }, 'a subscription no longer exists at the provider')
  }

/** How long a checkout page lives: subscriptions that began further apart were bought separately. */
const pageSeconds = 86_400

type People = Omit<SyncedSubscription, 'feePercent'>

/**
 * A fan has one subscription with a creator. Two pages that were paid at the same moment start two: the one that began first stays,
 * in whatever order we hear of them, and the database queues the end of the other and its refund. An unpaid subscription
 * gives way to an active one, because its last bill could still be paid; its earlier payments stay paid.
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
    // Our record may be old: one that has ended in the meantime is no duplicate.
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

/** Stripe's state of a subscription, and what we have made of it. */
async function takeOver(
  payments: Payments,
  stripeId: string,
): Promise<{ subscription: Stripe.Subscription; synced: People | undefined; askedAt: Date }> {
  // The time before the request: if two responses arrive in the wrong order, the later request has the newer state.
  const askedAt = new Date()
  const subscription = await payments.stripe.api.subscriptions.retrieve(stripeId)
  // Before the state is stored, because that queues the email about a failed charge.
  if (!isPaid(subscription)) await refreshCreator(payments, subscription.metadata.creator_id)
  const confirmation = await readConfirmation(payments, subscription)
  return { subscription, synced: await apply(payments, subscription, askedAt, confirmation), askedAt }
}

const isPaid = ({ status }: Stripe.Subscription): boolean => status === 'active' || status === 'trialing'

/** The charge may have failed because the creator can't be paid, and Stripe's event for that may be late: the fan's card is fine then. */
async function refreshCreator(payments: Payments, creatorId: string | undefined): Promise<void> {
  if (!creatorId) return
  const [creator] = await payments.database.service.rows<{ account: string | null }>(sql`
    select stripe_account_id as account from private.profiles where id = ${creatorId}`)
  if (creator?.account) await syncAccount(payments, creator.account)
}

async function apply(
  { database }: Payments,
  subscription: Stripe.Subscription,
  askedAt: Date,
  confirmation: Confirmation | undefined,
): Promise<People | undefined> {
  const {
    profile_id: subscriberId,
    creator_id: creatorId,
    product_id: productId,
    offer_id: offerId,
  } = subscription.metadata
  const item = subscription.items.data[0]
  if (!subscriberId || !creatorId || !productId || !item) return undefined
  const endsWithPeriod = subscription.cancel_at !== null && subscription.cancel_at <= item.current_period_end
  // Canceled at the period's end, then ended at once by a refund: Stripe keeps the earlier flag, which has no effect.
  const endedEarly = subscription.ended_at !== null && subscription.ended_at < item.current_period_end
  const [synced] = await database.service.rows<People>(sql`
    with applied as materialized (select
      private.apply_subscription_state(${subscription.id}, f.id, c.id, p.id, ${subscription.status},
        ${timeOf(item.current_period_start)}, ${timeOf(item.current_period_end)}, ${timeOf(subscription.trial_end)},
        ${(subscription.cancel_at_period_end || endsWithPeriod) && !endedEarly}, ${timeOf(subscription.canceled_at)}, ${askedAt},
        price.price_cents, price.interval_count
      ) as "subscriptionId",
      f.id as "subscriberId", c.id as "creatorId", p.id as "productId"
    from private.profiles f cross join private.profiles c
      left join private.stripe_prices price on price.stripe_price_id = ${item.price.id}
      -- The charged price says which plan it is; the metadata says which it was at first.
      join public.subscription_products p on p.id = coalesce(price.product_id, ${productId})
    where f.id = ${subscriberId} and c.id = ${creatorId}
    )
    -- In one transaction with the state, so that the email about a failed renewal knows whether a bank must confirm.
    select a.*, private.settle_confirmation(a."subscriptionId", ${askedAt}, ${confirmation?.invoiceId ?? null}, ${confirmation?.url ?? null},
      wanted.product_id, ${confirmation?.change?.expiresAt ?? null}, ${confirmation?.bankAsks ?? false}, wanted.interval_count) as "settled",
      private.note_offer_use(a."subscriptionId", ${offerId ?? null}) as "noted"
    from applied a left join private.stripe_prices wanted on wanted.stripe_price_id = ${confirmation?.change?.priceId ?? null}`)
  return synced
}
