import { lazy, Suspense } from 'react'
import { storyCreatorQuery } from '../../domain/stories/queries.ts'
import type { LoaderArguments } from '../router.ts'

const load = () => import('../../features/stories/stories-screen.tsx')
// The window over everything and its player are more than a screen needs to begin with.
const StoriesScreen = lazy(load)

export const Component = () => (
  <Suspense>
    <StoriesScreen />
  </Suspense>
)

export function loader({ queryClient, params }: LoaderArguments): void {
  void queryClient.prefetchQuery(storyCreatorQuery(params.username ?? ''))
  // The screen reports a failure.
  load().catch(() => undefined)
}
