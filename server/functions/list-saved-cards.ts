import { listSavedCards, settleSavedCard } from '../payments/cards/saved-cards.ts'
import { defineFunction } from './define.ts'
import { optionalText } from './fields.ts'

/**
 * `list-saved-cards` {sessionId?} → {cards: [{id, brand, last4, expMonth, expYear, isDefault}]} (API-FN-15, D40): the cards for one-click
 * payments. `sessionId` is the checkout session in which a card was just saved.
 */
export const listCards = defineFunction({
  name: 'list-saved-cards',
  fields: { sessionId: optionalText({ label: 'The checkout', max: 255 }) },
  run: async ({ person, input, services }) => {
    if (input.sessionId !== null) await settleSavedCard(services, person, input.sessionId)
    return { cards: await listSavedCards(services, person) }
  },
})
