import { settingsQuery } from '../../features/settings/settings-query.ts'
import { requireUser, whenViewerKnown } from '../guards.ts'
import type { LoaderArguments } from '../router.ts'

export { SettingsScreen as Component } from '../../features/settings/settings-screen.tsx'

/** SET-02 */
export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  const user = await requireUser(location)
  whenViewerKnown(queryClient, user, ({ profileId }) => void queryClient.prefetchQuery(settingsQuery(profileId)))
}
