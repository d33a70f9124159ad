import { sql } from '../../postgres/sql.ts'
import type { Payments } from '../payments.ts'
import { syncSubscription } from './sync-subscription.ts'

/** More than a user refreshes by hand; the newest count. */
const most = 20

/** Asks Stripe for a fan's subscriptions that aren't over. @param creatorId only with this creator; null for all. */
export async function syncOwnSubscriptions(payments: Payments, fanId: string, creatorId: string | null): Promise<void> {
  const subscriptions = await payments.database.service.rows<{ id: string }>(sql`
    select at_stripe.stripe_subscription_id as id
    from public.subscriptions s join private.stripe_subscriptions at_stripe on at_stripe.subscription_id = s.id
    where s.subscriber_id = ${fanId} and (${creatorId}::uuid is null or s.creator_id = ${creatorId}::uuid)
      and s.status not in ('canceled', 'incomplete_expired')
    order by s.created_at desc limit ${most}`)
  for (const { id } of subscriptions) await syncSubscription(payments, id)
}
