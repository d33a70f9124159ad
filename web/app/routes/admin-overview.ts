import { moneyQuery } from '../../features/admin/operations/money-queries.ts'
import { overviewQuery } from '../../features/admin/operations/overview-query.ts'
import { requireAdmin } from '../require-admin.ts'
import type { LoaderArguments } from '../router.ts'

export { OverviewScreen as Component } from '../../features/admin/operations/overview-screen.tsx'

export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  await requireAdmin(queryClient, location)
  void queryClient.prefetchQuery(overviewQuery())
  void queryClient.prefetchQuery(moneyQuery(30))
}
