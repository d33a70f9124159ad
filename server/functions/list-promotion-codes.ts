import { listPromotions } from '../payments/plans/promotion-codes.ts'
import { defineFunction } from './define.ts'

/** `list-promotion-codes` → {promotionCodes}: the creator's own, newest first. */
export const listPromotionCodes = defineFunction({
  name: 'list-promotion-codes',
  fields: {},
  run: async ({ person, services }) => ({ promotionCodes: await listPromotions(services, person.profileId) }),
})
