import { postQuery } from '../../domain/posts/queries.ts'
import type { LoaderArguments } from '../router.ts'

export { PostScreen as Component } from '../../features/posts/post-screen.tsx'

export function loader({ queryClient, params }: LoaderArguments): void {
  void queryClient.prefetchQuery(postQuery(params.id ?? ''))
}
