import { setupQuery } from '../../domain/creators/setup.ts'
import { productsQuery, takesChargesQuery } from '../../domain/plans/queries.ts'
import { requireUser, whenViewerKnown } from '../guards.ts'
import type { LoaderArguments } from '../router.ts'

export { ProductsScreen as Component } from '../../features/subscription-products/products-screen.tsx'

export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  const user = await requireUser(location)
  whenViewerKnown(queryClient, user, ({ profileId }) => {
    void queryClient.prefetchQuery(productsQuery(profileId))
    void queryClient.prefetchQuery(takesChargesQuery(profileId))
    void queryClient.prefetchQuery(setupQuery(profileId))
  })
}
