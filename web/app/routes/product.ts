import { productQuery } from '../../domain/products/queries.ts'
import type { LoaderArguments } from '../router.ts'

export { ProductScreen as Component } from '../../features/products/product-screen.tsx'

export function loader({ queryClient, params }: LoaderArguments): void {
  void queryClient.prefetchQuery(productQuery(params.id ?? ''))
}
