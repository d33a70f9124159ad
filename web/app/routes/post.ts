import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { postQuery } from '../../features/posts/queries.ts'

export { PostScreen as Component } from '../../features/posts/post-screen.tsx'

export const loader =
  (queryClient: QueryClient) =>
  ({ params }: LoaderFunctionArgs) => {
    void queryClient.prefetchQuery(postQuery(params.id ?? ''))
    return null
  }
