import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '../../lib/api/functions.ts'

/** A card that the viewer keeps for purchases by one click. */
export type SavedCard = {
  id: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
  isDefault: boolean
}

export const savedCardsKey = ['saved-cards'] as const

/** The viewer's cards, the one that is charged first. @param sessionId the checkout in which one was saved a moment ago. */
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
