import type { QueryClient } from '@tanstack/react-query'
import { setupQuery } from '../creators/setup.ts'
import { earlierPricesKey, productsQuery } from './queries.ts'

/**
 * Reads a creator's plans again after a change: the creator's own list, the plans as fans and the composer see them (`plansQuery`), and
 * the step of the setup that a first plan completes.
 */
export function refreshPlans(queryClient: QueryClient, creatorId: string): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: ['plans', creatorId] })
  void queryClient.invalidateQueries({ queryKey: earlierPricesKey })
  void queryClient.invalidateQueries({ queryKey: setupQuery(creatorId).queryKey })
  return queryClient.invalidateQueries({ queryKey: productsQuery(creatorId).queryKey })
}
