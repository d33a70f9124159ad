import { settleOpenCheckouts } from '../payments/checkout/checkout-sessions.ts'
import { readSubscriptions } from '../payments/subscriptions/read-subscription.ts'
import { syncOwnSubscriptions } from '../payments/subscriptions/sync-own-subscriptions.ts'
import { defineFunction } from './define.ts'
import { optionalUuid } from './fields.ts'

/**
 * `refresh-subscription-status` {creatorId?} → {success, subscriptions} (API-FN-09, SUB-22): asks Stripe for the user's
 * subscriptions, all or those with one creator, instead of waiting for its events.
 */
export const refreshSubscriptionStatus = defineFunction({
  name: 'refresh-subscription-status',
  fields: { creatorId: optionalUuid({ label: 'The creator' }) },
  run: async ({ person, input, db, services }) => {
    if (input.creatorId !== null) await settleOpenCheckouts(services, person.profileId, input.creatorId)
    await syncOwnSubscriptions(services, person.profileId, input.creatorId)
    return { success: true, subscriptions: await readSubscriptions(db, person.profileId, input.creatorId) }
  },
})
