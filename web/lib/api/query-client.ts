import { onlineManager, QueryClient } from '@tanstack/react-query'
import { isStartedOffline } from './config.ts'

/**
 * supabase-js retries reads on 503 and 520, so there are no retries here: two layers would multiply.
 * Data is fresh for half a minute, so that going back shows a screen at once. Without a connection, mutations fail at once with an error:
 * the default, which waits for a connection, would keep forms disabled behind a spinner. (Messages do wait, and say so.)
 */
export function buildQueryClient(): QueryClient {
  // Found out by a request: browsers may be wrong about their connection.
  if (isStartedOffline()) onlineManager.setOnline(false)
  return new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: 30_000, gcTime: 10 * 60_000, refetchOnWindowFocus: false },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

/**
 * Drops the data of the previous user. Unlike `clear`, this also resets the queries of the current screen,
 * and reads them again as the new user.
 */
export function forgetEverything(queryClient: QueryClient): void {
  queryClient.removeQueries({ type: 'inactive' })
  void queryClient.resetQueries()
}
