import { retirePromotion } from '../payments/plans/promotion-codes.ts'
import { defineFunction } from './define.ts'
import { uuid } from './fields.ts'

/** `retire-promotion-code` {id} → {success}: no one can use the code from now on. Subscribers who used it keep their discount. */
export const retirePromotionCode = defineFunction({
  name: 'retire-promotion-code',
  fields: { id: uuid({ label: 'The code' }) },
  run: async ({ person, input, services }) => {
    await retirePromotion(services, person.profileId, input.id)
    return { success: true }
  },
})
