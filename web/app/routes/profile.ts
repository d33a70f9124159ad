import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { profileQuery } from '../../features/profiles/queries.ts'

export { ProfileScreen as Component } from '../../features/profiles/profile-screen.tsx'

export const loader =
  (queryClient: QueryClient) =>
  ({ params }: LoaderFunctionArgs) => {
    void queryClient.prefetchQuery(profileQuery(params.username ?? ''))
    return null
  }
