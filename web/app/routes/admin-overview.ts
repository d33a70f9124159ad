import { moneyQuery, overviewQuery } from '../../features/admin/operations/queries.ts'
import { requireAdmin } from '../require-admin.ts'
import type { LoaderArguments } from '../router.ts'

export { OverviewScreen as Component } from '../../features/admin/operations/overview-screen.tsx'

export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  await requireAdmin(queryClient, location)
  void queryClient.prefetchQuery(overviewQuery())
  void queryClient.prefetchQuery(moneyQuery(30))
}
