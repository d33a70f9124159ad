import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { productsQuery, takesChargesQuery } from '../../features/subscription-products/queries.ts'
import { requireUser, whenViewerKnown } from '../guards.ts'

export { ProductsScreen as Component } from '../../features/subscription-products/products-screen.tsx'

export const loader =
  (queryClient: QueryClient) =>
  async ({ request }: LoaderFunctionArgs) => {
    const user = await requireUser(request)
    whenViewerKnown(queryClient, user, ({ profileId }) => {
      void queryClient.prefetchQuery(productsQuery(profileId))
      void queryClient.prefetchQuery(takesChargesQuery(profileId))
    })
    return null
  }
