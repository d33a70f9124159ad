import { notificationsQuery } from '../../features/notifications/queries.ts'
import { requireUser } from '../guards.ts'
import type { LoaderArguments } from '../router.ts'

export { NotificationsScreen as Component } from '../../features/notifications/notifications-screen.tsx'

export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  await requireUser(location)
  void queryClient.prefetchInfiniteQuery(notificationsQuery('all'))
}
