import { updatePlan } from '../payments/plans/update-plan.ts'
import { planWords } from './create-subscription-product.ts'
import { defineFunction } from './define.ts'
import { uuid } from './fields.ts'

/**
 * `update-subscription-product` {id, name, description?, trial_days?, benefits?} → {success, product}: replaces all editable fields. Only
 * benefits stay if they are absent: older clients don't send them.
 */
export const updateSubscriptionProduct = defineFunction({
  name: 'update-subscription-product',
  fields: { id: uuid({ label: 'The plan' }), ...planWords },
  run: async ({ person, input: { id, name, description, trial_days, benefits }, services }) => {
    const words = { name, description, trialDays: trial_days ?? 0, benefits }
    return { success: true, product: await updatePlan(services, person.profileId, id, words) }
  },
})
