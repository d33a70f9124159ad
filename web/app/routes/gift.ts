import { giftQuery } from '../../domain/gifts/queries.ts'
import type { LoaderArguments } from '../router.ts'

export { GiftScreen as Component } from '../../features/gifts/gift-screen.tsx'

export function loader({ queryClient, params }: LoaderArguments): void {
  void queryClient.prefetchQuery(giftQuery(params.code ?? ''))
}
