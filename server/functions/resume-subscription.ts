import {
  requireOwnSubscription,
  setCancelAtPeriodEnd,
  viewSubscription,
} from '../payments/subscriptions/own-subscription.ts'
import { defineFunction } from './define.ts'
import { uuid } from './fields.ts'

/** `resume-subscription` {subscriptionId} → {success, subscription} (API-FN-15, SUB-05, SUB-17): resumes a canceled plan before its end. */
export const resumeSubscription = defineFunction({
  name: 'resume-subscription',
  fields: { subscriptionId: uuid({ label: 'The subscription' }) },
  run: async ({ person, input, db, services }) => {
    const own = await requireOwnSubscription(services, person.profileId, input.subscriptionId)
    await setCancelAtPeriodEnd(services, own, false)
    return { success: true, subscription: await viewSubscription(db, own) }
  },
})
