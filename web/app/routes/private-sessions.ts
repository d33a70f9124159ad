import { openBookingsQuery } from '../../domain/private-sessions/booking-queries.ts'
import { requireUser, whenViewerKnown } from '../guards.ts'
import type { LoaderArguments } from '../router.ts'

export { SessionsScreen as Component } from '../../features/private-sessions/sessions-screen.tsx'

/** PRIV-01, D35 */
export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  const user = await requireUser(location)
  whenViewerKnown(queryClient, user, ({ profileId }) => void queryClient.prefetchQuery(openBookingsQuery(profileId)))
}
