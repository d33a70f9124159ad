import { recentPostsQuery, recentSubscribersQuery, statsQuery } from '../../features/dashboard/queries.ts'
import { viewerQuery } from '../../lib/auth/viewer.ts'
import { requireUser, whenViewerKnown } from '../guards.ts'
import type { LoaderArguments } from '../router.ts'

export { DashboardScreen as Component } from '../../features/dashboard/dashboard-screen.tsx'

/** DASH-02. Whether the person is approved is asked anew each time: it changes while they wait. */
export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  const user = await requireUser(location)
  void queryClient.prefetchQuery({ ...viewerQuery(user.id), staleTime: 0 })
  whenViewerKnown(queryClient, user, ({ profileId, mayPublish }) => {
    if (!mayPublish) return
    void queryClient.prefetchQuery(statsQuery(profileId))
    void queryClient.prefetchQuery(recentSubscribersQuery(profileId))
    void queryClient.prefetchQuery(recentPostsQuery(profileId))
  })
}
