import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { profileQuery } from '../../features/profiles/queries.ts'
import { requireUser } from '../guards.ts'

export { ProfileScreen as Component } from '../../features/profiles/profile-screen.tsx'

/** Without a username it is one's own profile, and a visitor has none (PROF-01). */
export const loader =
  (queryClient: QueryClient) =>
  async ({ request }: LoaderFunctionArgs) => {
    const user = await requireUser(request)
    void queryClient.prefetchQuery(profileQuery(user.id))
    return null
  }
