import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '../../lib/api/functions.ts'

/** A saved card for one-click payments. */
export type SavedCard = {
  id: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
  isDefault: boolean
}

export const savedCardsKey = ['saved-cards'] as const

/** The viewer's cards, the default first. @param sessionId the checkout session that just saved one. */
export const savedCardsQuery = (sessionId: string | null = null) =>
  queryOptions({
    queryKey: [...savedCardsKey, sessionId],
    queryFn: async (): Promise<SavedCard[]> => {
      const { cards } = await callFunction<{ cards: SavedCard[] }>(
        'list-saved-cards',
        sessionId === null ? {} : { sessionId },
      )
      return cards
    },
  })
