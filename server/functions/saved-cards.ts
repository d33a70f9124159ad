import { listSavedCards, removeSavedCard, settleSavedCard, startSavingCard } from '../payments/cards/saved-cards.ts'
import { defineFunction } from './define.ts'
import { optionalText, text } from './fields.ts'
import { returnField, returnUrl } from './return-path.ts'

/**
 * `list-saved-cards` {sessionId?} → {cards: [{id, brand, last4, expMonth, expYear, isDefault}]} (API-FN-15, D40): what purchases by one
 * click are paid with. `sessionId` is the checkout in which a card was saved a moment ago.
 */
export const listCards = defineFunction({
  name: 'list-saved-cards',
  fields: { sessionId: optionalText({ label: 'The checkout', max: 255 }) },
  run: async ({ person, input, services }) => {
    if (input.sessionId !== null) await settleSavedCard(services, person, input.sessionId)
    return { cards: await listSavedCards(services, person) }
  },
})

/** `save-card` {returnPath?} → {url} of the page on which a card is saved (D40). It leads back with `card={CHECKOUT_SESSION_ID}`. */
export const saveCard = defineFunction({
  name: 'save-card',
  fields: { returnPath: returnField },
  run: async ({ person, input, services, siteOrigin }) => ({
    url: await startSavingCard(services, person, returnUrl(siteOrigin, input.returnPath)),
  }),
})

/** `remove-saved-card` {cardId} → {success} (D40): at the payment provider too. */
export const removeCard = defineFunction({
  name: 'remove-saved-card',
  fields: { cardId: text({ label: 'The card', max: 255 }) },
  run: async ({ person, input, services }) => {
    await removeSavedCard(services, person, input.cardId)
    return { success: true }
  },
})
