import { differencesQuery, moneyQuery, moneySeriesQuery } from '../../features/admin/operations/money-queries.ts'
import { requireAdmin } from '../require-admin.ts'
import type { LoaderArguments } from '../router.ts'

export { MoneyScreen as Component } from '../../features/admin/operations/money-screen.tsx'

export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  await requireAdmin(queryClient, location)
  void queryClient.prefetchQuery(moneyQuery(30))
  void queryClient.prefetchQuery(moneySeriesQuery(30))
  void queryClient.prefetchQuery(differencesQuery())
}
