import { updatePlan } from '../payments/plans/update-plan.ts'
import { planWords } from './create-subscription-product.ts'
import { defineFunction } from './define.ts'
import { uuid } from './fields.ts'

/**
 * `update-subscription-product` {id, name, description?, trial_days?, benefits?, terms?: [{months, percent_off}]} → {success, product}:
 * replaces all editable fields. Only benefits and terms stay if they are absent: older clients don't send them.
 */
export const updateSubscriptionProduct = defineFunction({
  name: 'update-subscription-product',
  fields: { id: uuid({ label: 'The plan' }), ...planWords },
  run: async ({ person, input: { id, name, description, trial_days, benefits, terms }, services }) => {
    const words = { name, description, trialDays: trial_days ?? 0, benefits, terms }
    return { success: true, product: await updatePlan(services, person.profileId, id, words) }
  },
})
