import { QueryClient } from '@tanstack/react-query'

/**
 * Retries stand in supabase-js (reads, on 503 and 520), so there are none here: two layers would multiply.
 * Data counts as fresh for half a minute, so that going back to a screen shows it at once. What is sent without a connection fails at
 * once and says so: waiting for one, as the client would by itself, keeps a form closed behind a spinner. (Messages do wait, and say it.)
 */
export function buildQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: 30_000, gcTime: 10 * 60_000, refetchOnWindowFocus: false },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

/**
 * What one person saw is not the next one's to see. Unlike `clear`, this also empties what is on the screen right now,
 * and reads it again as whoever is there.
 */
export function forgetEverything(queryClient: QueryClient): void {
  queryClient.removeQueries({ type: 'inactive' })
  void queryClient.resetQueries()
}
