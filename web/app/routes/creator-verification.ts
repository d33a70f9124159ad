import { paths } from '@ovation/contract/routes'
import type { QueryClient } from '@tanstack/react-query'
import { type LoaderFunctionArgs, redirect } from 'react-router'
import { latestApplicationQuery } from '../../features/verification/queries.ts'
import { isAdmin, requireUser } from '../guards.ts'

export { VerificationScreen as Component } from '../../features/verification/verification-screen.tsx'

/** VER-02, VER-03 */
export const loader =
  (queryClient: QueryClient) =>
  async ({ request }: LoaderFunctionArgs) => {
    const user = await requireUser(request)
    if (await isAdmin(queryClient, user)) throw redirect(paths.dashboard)
    void queryClient.prefetchQuery(latestApplicationQuery(user.id))
    return null
  }
