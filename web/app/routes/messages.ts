import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { conversationsQuery, personQuery } from '../../features/messages/queries.ts'
import { requireUser } from '../guards.ts'

export { MessagesScreen as Component } from '../../features/messages/messages-screen.tsx'

/** MSG-02 */
export const loader =
  (queryClient: QueryClient) =>
  async ({ request }: LoaderFunctionArgs) => {
    await requireUser(request)
    void queryClient.prefetchInfiniteQuery(conversationsQuery(''))
    const address = new URL(request.url).searchParams.get('with')
    if (address) void queryClient.prefetchQuery(personQuery(address))
    return null
  }
