import type { QueryClient } from '@tanstack/react-query'
import { productsQuery } from './queries.ts'

/** Reads a creator's plans again after a change: the creator's own list, and the plans as fans and the composer see them (`plansQuery`). */
export function refreshPlans(queryClient: QueryClient, creatorId: string): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: ['plans', creatorId] })
  return queryClient.invalidateQueries({ queryKey: productsQuery(creatorId).queryKey })
}
