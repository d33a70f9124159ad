import { changePrice } from '../payments/plans/change-price.ts'
import { planPrice } from './create-subscription-product.ts'
import { defineFunction } from './define.ts'
import { uuid } from './fields.ts'

/** `change-plan-price` {id, price_cents} → {success}: the price for new subscribers; others keep theirs (OFFER-08). */
export const changePlanPrice = defineFunction({
  name: 'change-plan-price',
  fields: { id: uuid({ label: 'The plan' }), price_cents: planPrice },
  run: async ({ person, input: { id, price_cents }, services }) => {
    await changePrice(services, person.profileId, id, price_cents)
    return { success: true }
  },
})
