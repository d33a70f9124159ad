import type { QueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { LoaderFunctionArgs } from 'react-router'
import { ComposeButton } from '../../features/composer/compose-button.tsx'
import { FeedScreen } from '../../features/posts/feed-screen.tsx'
import { feedQuery } from '../../features/posts/queries.ts'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { requireUser } from '../guards.ts'

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

export const loader =
  (queryClient: QueryClient) =>
  async ({ request }: LoaderFunctionArgs) => {
    await requireUser(request)
    void queryClient.prefetchInfiniteQuery(feedQuery())
    // It signs the links of what the posts show, as soon as these are here. If it does not come, whoever needs it says so.
    import('../../lib/storage.ts').catch(() => undefined)
    return null
  }
