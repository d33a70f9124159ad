import { reportsQuery } from '../../features/admin/operations/report-queries.ts'
import { requireAdmin } from '../require-admin.ts'
import type { LoaderArguments } from '../router.ts'

export { ReportsScreen as Component } from '../../features/admin/operations/reports-screen.tsx'

export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  await requireAdmin(queryClient, location)
  void queryClient.prefetchInfiniteQuery(reportsQuery(false))
}
