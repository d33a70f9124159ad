import { lazy, Suspense } from 'react'
import { ComposeButton } from '../../domain/composer/compose-button.tsx'
import { feedQuery } from '../../domain/posts/queries.ts'
import { FeedScreen } from '../../features/posts/feed-screen.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { requireUser } from '../guards.ts'
import type { LoaderArguments } from '../router.ts'

// Only for an empty feed.
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
  // It signs the posts' media links as soon as the posts arrive. The code that needs the client reports a failure.
  import('../../lib/api/storage.ts').catch(() => undefined)
}
