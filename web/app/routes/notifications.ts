import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { notificationsQuery } from '../../features/notifications/queries.ts'
import { requireUser } from '../guards.ts'

export { NotificationsScreen as Component } from '../../features/notifications/notifications-screen.tsx'

export const loader =
  (queryClient: QueryClient) =>
  async ({ request }: LoaderFunctionArgs) => {
    await requireUser(request)
    void queryClient.prefetchQuery(notificationsQuery())
    return null
  }
