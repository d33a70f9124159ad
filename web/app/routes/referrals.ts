import { referralsQuery } from '../../domain/referrals/queries.ts'
import { requireUser, whenViewerKnown } from '../guards.ts'
import type { LoaderArguments } from '../router.ts'

export { ReferralsScreen as Component } from '../../features/referrals/referrals-screen.tsx'

/** REF-02 */
export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  const user = await requireUser(location)
  whenViewerKnown(queryClient, user, ({ profileId }) => void queryClient.prefetchQuery(referralsQuery(profileId)))
}
