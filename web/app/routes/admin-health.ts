import { healthQuery } from '../../features/admin/operations/health-query.ts'
import { requireAdmin } from '../require-admin.ts'
import type { LoaderArguments } from '../router.ts'

export { HealthScreen as Component } from '../../features/admin/operations/health-screen.tsx'

export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  await requireAdmin(queryClient, location)
  void queryClient.prefetchQuery(healthQuery())
}
