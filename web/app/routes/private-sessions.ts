import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { openBookingsQuery } from '../../features/sessions/queries.ts'
import { requireUser, whenViewerKnown } from '../guards.ts'

export { SessionsScreen as Component } from '../../features/sessions/sessions-screen.tsx'

/** PRIV-01, D35 */
export const loader =
  (queryClient: QueryClient) =>
  async ({ request }: LoaderFunctionArgs) => {
    const user = await requireUser(request)
    whenViewerKnown(queryClient, user, ({ profileId }) => void queryClient.prefetchQuery(openBookingsQuery(profileId)))
    return null
  }
