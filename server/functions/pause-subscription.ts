import { requireOwnSubscription, viewSubscription } from '../payments/subscriptions/own-subscription.ts'
import {
  endPause as endFansPause,
  pauseSubscription as pauseFansSubscription,
} from '../payments/subscriptions/pause-subscription.ts'
import { defineFunction } from './define.ts'
import { integer, uuid } from './fields.ts'

const fields = { subscriptionId: uuid({ label: 'The subscription' }) }

/**
 * `pause-subscription` {subscriptionId, months} → {success, subscription} (OFFER-10): pauses for 1 to 3 months from the end of the paid
 * period, where the creator allows it.
 */
export const pauseSubscription = defineFunction({
  name: 'pause-subscription',
  fields: { ...fields, months: integer({ label: 'The number of months', min: 1, max: 3 }) },
  run: async ({ person, input, db, services }) => {
    const own = await requireOwnSubscription(services, person.profileId, input.subscriptionId)
    await pauseFansSubscription(services, own, input.months)
    return { success: true, subscription: await viewSubscription(db, own) }
  },
})

/**
 * `end-pause` {subscriptionId} → {success, subscription, confirm?: {url}} (OFFER-10): resumes before the pause is over. Once it has begun,
 * a period begins today and is charged. With `confirm`, the fan confirms the payment with their bank on that page.
 */
export const endPause = defineFunction({
  name: 'end-pause',
  fields,
  run: async ({ person, input, db, services }) => {
    const own = await requireOwnSubscription(services, person.profileId, input.subscriptionId)
    const confirm = await endFansPause(services, own)
    return { success: true, subscription: await viewSubscription(db, own), ...(confirm && { confirm }) }
  },
})
