import { startSavingCard } from '../payments/cards/saved-cards.ts'
import { defineFunction } from './define.ts'
import { returnField, returnUrl } from './return-path.ts'

/** `save-card` {returnPath?} → {url} of the page that saves a card (D40). It leads back with `card={CHECKOUT_SESSION_ID}`. */
export const saveCard = defineFunction({
  name: 'save-card',
  fields: { returnPath: returnField },
  run: async ({ person, input, services, siteOrigin }) => ({
    url: await startSavingCard(services, person, returnUrl(siteOrigin, input.returnPath)),
  }),
})
