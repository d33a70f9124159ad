import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { reportsQuery } from '../../features/operations/queries.ts'
import { requireAdmin } from '../require-admin.ts'

export { ReportsScreen as Component } from '../../features/operations/reports-screen.tsx'

export const loader =
  (queryClient: QueryClient) =>
  async ({ request }: LoaderFunctionArgs) => {
    await requireAdmin(queryClient, request)
    void queryClient.prefetchInfiniteQuery(reportsQuery(false))
    return null
  }
