import { GatewayError } from '../http/errors.ts'
import { readCheckouts, settle } from '../payments/checkout/checkout-sessions.ts'
import { type RefundView, readSubscriptionRefund } from '../payments/refunds/read-refund.ts'
import { readSubscriptions } from '../payments/subscriptions/read-subscription.ts'
import { defineFunction } from './define.ts'
import { uuid } from './fields.ts'

/**
 * `verify-subscription` {creatorId} → {hasActiveSubscription, subscription, isAwaited, refund} (API-FN-01, SUB-12, SUB-13). The return page
 * grants nothing: it calls this function, which asks Stripe about the checkout if the webhook hasn't come yet. `isAwaited` is false if
 * the user never started a checkout with this creator, or if its payment was refunded, so that the page doesn't wait for a payment
 * that nobody made or that was returned.
 */
export const verifySubscription = defineFunction({
  name: 'verify-subscription',
  fields: { creatorId: uuid({ label: 'The creator' }) },
  run: async ({ person, input, db, services }) => {
    const known = await readSubscriptions(db, person.profileId, input.creatorId)
    if (known[0]?.has_access) return answer(known[0])
    const { open, lastId } = await readCheckouts(services, person.profileId, input.creatorId)
    const isPending = await settle(services, open).then(
      (payable) => payable.length > 0,
      (error: unknown) => {
        // The payment is pending: no access yet, but no failure either.
        if (!(error instanceof GatewayError && error.code === 'payment_pending')) throw error
        return true
      },
    )
    const [subscription] = await readSubscriptions(db, person.profileId, input.creatorId)
    if (subscription?.has_access) return answer(subscription)
    // While a checkout is open, an earlier refund isn't what the user came back for.
    const refund = isPending ? undefined : await readSubscriptionRefund(db, person.profileId, input.creatorId)
    return answer(subscription, { isAwaited: lastId !== undefined && !refund, refund })
  },
})

function answer<View extends { readonly has_access: boolean }>(
  subscription: View | undefined,
  { isAwaited = false, refund }: { isAwaited?: boolean; refund?: RefundView | undefined } = {},
) {
  return {
    hasActiveSubscription: subscription?.has_access ?? false,
    subscription: subscription ?? null,
    isAwaited,
    refund: refund ?? null,
  }
}
