import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { referralsQuery } from '../../features/referrals/queries.ts'
import { requireUser, whenViewerKnown } from '../guards.ts'

export { ReferralsScreen as Component } from '../../features/referrals/referrals-screen.tsx'

/** REF-02 */
export const loader =
  (queryClient: QueryClient) =>
  async ({ request }: LoaderFunctionArgs) => {
    const user = await requireUser(request)
    whenViewerKnown(queryClient, user, ({ profileId }) => void queryClient.prefetchQuery(referralsQuery(profileId)))
    return null
  }
