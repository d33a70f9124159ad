import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { ComposeButton } from '../../features/composer/compose-button.tsx'
import { CreatorSuggestions } from '../../features/discover/creator-suggestions.tsx'
import { FeedScreen } from '../../features/posts/feed-screen.tsx'
import { feedQuery } from '../../features/posts/queries.ts'
import { requireUser } from '../guards.ts'

export const Component = () => <FeedScreen compose={<ComposeButton />} empty={<CreatorSuggestions />} />

export const loader =
  (queryClient: QueryClient) =>
  async ({ request }: LoaderFunctionArgs) => {
    await requireUser(request)
    void queryClient.prefetchInfiniteQuery(feedQuery())
    return null
  }
