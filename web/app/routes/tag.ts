import { taggedPostsQuery } from '../../features/tags/queries.ts'
import type { LoaderArguments } from '../router.ts'

export { TagScreen as Component } from '../../features/tags/tag-screen.tsx'

export function loader({ queryClient, params }: LoaderArguments): void {
  void queryClient.prefetchInfiniteQuery(taggedPostsQuery(params.tag ?? ''))
}
