import { lazy, Suspense } from 'react'
import { ComposeButton } from '../../domain/composer/compose-button.tsx'
import { feedQuery } from '../../domain/posts/queries.ts'
import { FeedScreen } from '../../features/posts/feed-screen.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { requireUser } from '../guards.ts'
import type { LoaderArguments } from '../router.ts'

// Only for those whose feed is empty.
const CreatorSuggestions = lazy(() => import('../../features/discover/creator-suggestions.tsx'))

export const Component = () => (
  <FeedScreen
    compose={<ComposeButton />}
    empty={
      <Suspense fallback={<ListSkeleton rows={2} shape="card" />}>
        <CreatorSuggestions />
      </Suspense>
    }
  />
)

export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  await requireUser(location)
  void queryClient.prefetchInfiniteQuery(feedQuery())
  // It signs the links of what the posts show, as soon as these are here. If it does not come, whoever needs it says so.
  import('../../lib/api/storage.ts').catch(() => undefined)
}
