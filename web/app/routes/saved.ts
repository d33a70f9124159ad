import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { savedQuery } from '../../features/posts/queries.ts'
import { requireUser, whenViewerKnown } from '../guards.ts'

export { SavedScreen as Component } from '../../features/posts/saved-screen.tsx'

export const loader =
  (queryClient: QueryClient) =>
  async ({ request }: LoaderFunctionArgs) => {
    const user = await requireUser(request)
    whenViewerKnown(queryClient, user, ({ profileId }) => void queryClient.prefetchInfiniteQuery(savedQuery(profileId)))
    return null
  }
