import { setupQuery } from '../../domain/creators/setup.ts'
import { statsQuery } from '../../features/dashboard/overview-queries.ts'
import { recentPostsQuery } from '../../features/dashboard/post-queries.ts'
import { recentSubscribersQuery } from '../../features/dashboard/subscriber-queries.ts'
import { viewerQuery } from '../../lib/auth/viewer.ts'
import { requireUser, whenViewerKnown } from '../guards.ts'
import type { LoaderArguments } from '../router.ts'

export { DashboardScreen as Component } from '../../features/dashboard/dashboard-screen.tsx'

/** DASH-02. The approval is loaded again on each visit, because it can change while the creator waits. */
export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  const user = await requireUser(location)
  void queryClient.prefetchQuery({ ...viewerQuery(user.id), staleTime: 0 })
  whenViewerKnown(queryClient, user, ({ profileId, isCreator, mayPublish }) => {
    if (isCreator) void queryClient.prefetchQuery(setupQuery(profileId))
    if (!mayPublish) return
    void queryClient.prefetchQuery(statsQuery(profileId))
    void queryClient.prefetchQuery(recentSubscribersQuery(profileId))
    void queryClient.prefetchQuery(recentPostsQuery(profileId))
  })
}
