import { profileQuery } from '../../features/profiles/queries.ts'
import { requireUser } from '../guards.ts'
import type { LoaderArguments } from '../router.ts'

export { ProfileScreen as Component } from '../../features/profiles/profile-screen.tsx'

/** A path without a username means the viewer's own profile, and a visitor has none (PROF-01). */
export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  const user = await requireUser(location)
  void queryClient.prefetchQuery(profileQuery(user.id))
}
