import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { settingsQuery } from '../../features/settings/queries.ts'
import { requireUser, whenViewerKnown } from '../guards.ts'

export { SettingsScreen as Component } from '../../features/settings/settings-screen.tsx'

/** SET-02 */
export const loader =
  (queryClient: QueryClient) =>
  async ({ request }: LoaderFunctionArgs) => {
    const user = await requireUser(request)
    whenViewerKnown(queryClient, user, ({ profileId }) => void queryClient.prefetchQuery(settingsQuery(profileId)))
    return null
  }
