import { removeSavedCard } from '../payments/cards/saved-cards.ts'
import { defineFunction } from './define.ts'
import { text } from './fields.ts'

/** `remove-saved-card` {cardId} → {success} (D40): removes the card at the payment provider, too. */
export const removeCard = defineFunction({
  name: 'remove-saved-card',
  fields: { cardId: text({ label: 'The card', max: 255 }) },
  run: async ({ person, input, services }) => {
    await removeSavedCard(services, person, input.cardId)
    return { success: true }
  },
})
