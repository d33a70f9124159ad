import { savedQuery } from '../../domain/posts/queries.ts'
import { requireUser, whenViewerKnown } from '../guards.ts'
import type { LoaderArguments } from '../router.ts'

export { SavedScreen as Component } from '../../features/posts/saved-screen.tsx'

export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  const user = await requireUser(location)
  whenViewerKnown(queryClient, user, ({ profileId }) => void queryClient.prefetchInfiniteQuery(savedQuery(profileId)))
}
