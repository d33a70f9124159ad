import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { productsQuery, takesChargesQuery } from '../../features/subscription-products/queries.ts'
import { prefetchForViewer, requireUser } from '../guards.ts'

export { ProductsScreen as Component } from '../../features/subscription-products/products-screen.tsx'

export const loader =
  (queryClient: QueryClient) =>
  async ({ request }: LoaderFunctionArgs) => {
    const user = await requireUser(request)
    prefetchForViewer(queryClient, user, ({ profileId }) => [productsQuery(profileId), takesChargesQuery(profileId)])
    return null
  }
