import { settleOpenCheckouts } from '../payments/checkout-sessions.ts'
import { readSubscriptions } from '../payments/read-subscription.ts'
import { defineFunction } from './define.ts'
import { uuid } from './fields.ts'

/**
 * `verify-subscription` {creatorId} → {hasActiveSubscription, subscription} (API-FN-01, SUB-12, SUB-13). The return page grants
 * nothing: it asks here, and when the webhook has not come yet, Stripe is asked how the checkout ended.
 */
export const verifySubscription = defineFunction({
  name: 'verify-subscription',
  fields: { creatorId: uuid({ label: 'The creator' }) },
  run: async ({ person, input, db, services }) => {
    const known = await readSubscriptions(db, person.profileId, input.creatorId)
    if (known[0]?.has_access) return answer(known[0])
    await settleOpenCheckouts(services, person.profileId, input.creatorId)
    return answer((await readSubscriptions(db, person.profileId, input.creatorId))[0])
  },
})

const answer = <View extends { readonly has_access: boolean }>(subscription: View | undefined) => ({
  hasActiveSubscription: subscription?.has_access ?? false,
  subscription: subscription ?? null,
})
