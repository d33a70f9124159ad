import { storyCreatorQuery } from '../../domain/stories/queries.ts'
import type { LoaderArguments } from '../router.ts'

export { StoriesScreen as Component } from '../../features/stories/stories-screen.tsx'

export function loader({ queryClient, params }: LoaderArguments): void {
  void queryClient.prefetchQuery(storyCreatorQuery(params.username ?? ''))
}
