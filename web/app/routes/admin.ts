import { paths } from '@ovation/contract/routes'
import type { QueryClient } from '@tanstack/react-query'
import { type LoaderFunctionArgs, redirect } from 'react-router'
import { applicationsQuery } from '../../features/admin/queries.ts'
import { supportRequestsQuery } from '../../features/admin/support-queries.ts'
import { userCountQuery } from '../../features/admin/user-queries.ts'
import { signInWaysQuery } from '../../features/auth/queries.ts'
import { isAdmin, requireUser } from '../guards.ts'

export { GuardedAdminScreen as Component } from '../../features/admin/second-factor-gate.tsx'

/** ADM-02, ADM-03. What an admin may see and do is decided by row-level security, not here. */
export const loader =
  (queryClient: QueryClient) =>
  async ({ request }: LoaderFunctionArgs) => {
    const user = await requireUser(request)
    const ways = queryClient.ensureQueryData(signInWaysQuery()).catch(() => undefined)
    if (!(await isAdmin(queryClient, user))) throw redirect(paths.home)
    await ways // or the panel would show for a moment to who has to show a second factor first
    void queryClient.prefetchInfiniteQuery(applicationsQuery('pending'))
    void queryClient.prefetchInfiniteQuery(applicationsQuery('reviewed'))
    void queryClient.prefetchInfiniteQuery(supportRequestsQuery())
    void queryClient.prefetchQuery(userCountQuery())
    return null
  }
