import { requireOwnSubscription, viewSubscription } from '../payments/subscriptions/own-subscription.ts'
import { switchSubscription as switchPlan } from '../payments/subscriptions/switch-subscription.ts'
import { defineFunction } from './define.ts'
import { uuid } from './fields.ts'
import { intervalCount } from './plan-terms.ts'

/**
 * `switch-subscription` {subscriptionId, productId, intervalCount?} → {success, subscription, confirm?: {url, expiresAt}} (API-FN-15,
 * SUB-04, OFFER-01): switches to another plan of the same creator, or to another term. With `confirm`, the switch happens once the fan has confirmed with their bank on that page.
 */
export const switchSubscription = defineFunction({
  name: 'switch-subscription',
  fields: {
    subscriptionId: uuid({ label: 'The subscription' }),
    productId: uuid({ label: 'The plan' }),
    intervalCount,
  },
  run: async ({ person, input, db, services }) => {
    const own = await requireOwnSubscription(services, person.profileId, input.subscriptionId)
    const confirm = await switchPlan(services, db, own, input)
    return { success: true, subscription: await viewSubscription(db, own), ...(confirm && { confirm }) }
  },
})
