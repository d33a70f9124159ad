import { paths } from '@ovation/contract/routes'
import type { QueryClient } from '@tanstack/react-query'
import { type LoaderFunctionArgs, redirect } from 'react-router'
import { appConfig } from '../../lib/config.ts'
import { isAdmin, requireUser } from '../guards.ts'

export { IntegrationScreen as Component } from '../../features/integration/integration-screen.tsx'

/** TEST-01, D42: for admins, and outside production for every signed-in person. The functions hold to it by themselves. */
export const loader =
  (queryClient: QueryClient) =>
  async ({ request }: LoaderFunctionArgs) => {
    const user = await requireUser(request)
    if (appConfig().environment === 'production' && !(await isAdmin(queryClient, user))) throw redirect(paths.home)
    return null
  }
