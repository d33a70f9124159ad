import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { mySubscriptionsQuery } from '../../features/subscriptions/my-subscriptions.ts'
import { requireUser, whenViewerKnown } from '../guards.ts'

export { MySubscriptionsScreen as Component } from '../../features/subscriptions/my-subscriptions-screen.tsx'

export const loader =
  (queryClient: QueryClient) =>
  async ({ request }: LoaderFunctionArgs) => {
    const user = await requireUser(request)
    whenViewerKnown(
      queryClient,
      user,
      ({ profileId }) => void queryClient.prefetchQuery(mySubscriptionsQuery(profileId)),
    )
    return null
  }
