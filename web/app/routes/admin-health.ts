import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { healthQuery } from '../../features/operations/queries.ts'
import { requireAdmin } from '../require-admin.ts'

export { HealthScreen as Component } from '../../features/operations/health-screen.tsx'

export const loader =
  (queryClient: QueryClient) =>
  async ({ request }: LoaderFunctionArgs) => {
    await requireAdmin(queryClient, request)
    void queryClient.prefetchQuery(healthQuery())
    return null
  }
