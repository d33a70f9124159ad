import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { differencesQuery, moneyQuery, moneySeriesQuery } from '../../features/operations/queries.ts'
import { requireAdmin } from '../require-admin.ts'

export { MoneyScreen as Component } from '../../features/operations/money-screen.tsx'

export const loader =
  (queryClient: QueryClient) =>
  async ({ request }: LoaderFunctionArgs) => {
    await requireAdmin(queryClient, request)
    void queryClient.prefetchQuery(moneyQuery(30))
    void queryClient.prefetchQuery(moneySeriesQuery(30))
    void queryClient.prefetchQuery(differencesQuery())
    return null
  }
