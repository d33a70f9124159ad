import { authorizationParameter } from '@ovation/contract/paths'
import { authorizationQuery } from '../../domain/connected-apps/queries.ts'
import { requireUser } from '../guards.ts'
import type { LoaderArguments } from '../router.ts'

export { ConsentScreen as Component } from '../../features/connected-apps/consent-screen.tsx'

/** Visitors may open it too: without a request to decide on, the screen says so. */
export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  const id = new URLSearchParams(location.search).get(authorizationParameter)
  if (!id) return
  await requireUser(location)
  void queryClient.prefetchQuery(authorizationQuery(id))
}
