import { sql } from '../../postgres/sql.ts'
import type { Payments } from '../payments.ts'
import { syncSubscription } from './sync-subscription.ts'

/**
 * Gives a subscription the price that it may have (OFFER-08): that of a move whose notice is over, or its own, if somebody raised it at
 * Stripe. The present period stays as it is paid; the next one has the new price.
 */
export async function setPrice(payments: Payments, stripeId: string): Promise<void> {
  const { subscriptions } = payments.stripe.api
  const { items } = await subscriptions.retrieve(stripeId)
  const item = items.data[0]
  if (!item) throw new Error(`${stripeId} has no items`)
  const [wanted] = await payments.database.service.rows<{ priceId: string | null }>(sql`
    select private.price_to_charge(${stripeId}, ${item.price.id}) as "priceId"`)
  if (wanted?.priceId && wanted.priceId !== item.price.id)
    await subscriptions.update(stripeId, {
      items: [{ id: item.id, price: wanted.priceId }],
      proration_behavior: 'none',
    })
  await syncSubscription(payments, stripeId)
}
