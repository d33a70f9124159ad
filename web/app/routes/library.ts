import { libraryQuery, wholeLibrary } from '../../features/library/queries.ts'
import { requireUser } from '../guards.ts'
import type { LoaderArguments } from '../router.ts'

export { LibraryScreen as Component } from '../../features/library/library-screen.tsx'

export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  await requireUser(location)
  // With a filter, the screen asks.
  if (location.search === '') void queryClient.prefetchInfiniteQuery(libraryQuery(wholeLibrary))
}
