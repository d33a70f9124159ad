import { paths } from '@ovation/contract/paths'
import { latestApplicationQuery } from '../../domain/verification/latest-application-query.ts'
import { isAdmin, requireUser } from '../guards.ts'
import { Redirect } from '../redirect.ts'
import type { LoaderArguments } from '../router.ts'

export { VerificationScreen as Component } from '../../features/verification/verification-screen.tsx'

/** VER-02, VER-03 */
export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  const user = await requireUser(location)
  if (await isAdmin(queryClient, user)) throw new Redirect(paths.dashboard)
  void queryClient.prefetchQuery(latestApplicationQuery(user.id))
}
