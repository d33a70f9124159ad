import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { auditQuery, noFilter } from '../../features/operations/queries.ts'
import { requireAdmin } from '../require-admin.ts'

export { AuditScreen as Component } from '../../features/operations/audit-screen.tsx'

export const loader =
  (queryClient: QueryClient) =>
  async ({ request }: LoaderFunctionArgs) => {
    await requireAdmin(queryClient, request)
    void queryClient.prefetchInfiniteQuery(auditQuery(noFilter))
    return null
  }
