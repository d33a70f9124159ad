import { auditQuery, noFilter } from '../../features/admin/operations/audit-queries.ts'
import { requireAdmin } from '../require-admin.ts'
import type { LoaderArguments } from '../router.ts'

export { AuditScreen as Component } from '../../features/admin/operations/audit-screen.tsx'

export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  await requireAdmin(queryClient, location)
  void queryClient.prefetchInfiniteQuery(auditQuery(noFilter))
}
