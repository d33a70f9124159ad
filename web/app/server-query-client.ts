import type { QueryClient, QueryObserverOptions } from '@tanstack/react-query'
import { buildQueryClient } from '../lib/api/query-client.ts'

/**
 * Queries for a page that the server renders. React renders what surrounds a part without its data at once, and the part when its data is
 * there. So each part of a page is rendered once, whatever it reads, and nothing has to know in advance what a screen will ask for.
 */
export function buildServerQueryClient(): QueryClient {
  const queryClient = buildQueryClient()
  const complete = queryClient.defaultQueryOptions.bind(queryClient)
  // A default of `suspense` would also read what is not enabled.
  const suspend = (options: QueryObserverOptions) =>
    Object.assign(complete(options), { suspense: (options.enabled ?? true) === true })
  queryClient.defaultQueryOptions = suspend as typeof complete
  return queryClient
}
