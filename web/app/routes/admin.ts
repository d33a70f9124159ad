import { applicationsQuery } from '../../features/admin/application-queries.ts'
import { supportRequestsQuery } from '../../features/admin/support-queries.ts'
import { userCountQuery } from '../../features/admin/user-queries.ts'
import { requireAdmin } from '../require-admin.ts'
import type { LoaderArguments } from '../router.ts'

export { GuardedAdminScreen as Component } from '../../features/admin/guarded-admin-screen.tsx'

/** ADM-02, ADM-03. Row-level security, not this guard, decides what an admin may see and do. */
export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  await requireAdmin(queryClient, location)
  void queryClient.prefetchInfiniteQuery(applicationsQuery('pending'))
  void queryClient.prefetchInfiniteQuery(applicationsQuery('reviewed'))
  void queryClient.prefetchInfiniteQuery(supportRequestsQuery())
  void queryClient.prefetchQuery(userCountQuery())
}
