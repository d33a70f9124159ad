import { noFilter, vaultQuery } from '../../domain/vault/queries.ts'
import { requireUser, whenViewerKnown } from '../guards.ts'
import type { LoaderArguments } from '../router.ts'

export { VaultScreen as Component } from '../../features/vault/vault-screen.tsx'

export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  const user = await requireUser(location)
  if (location.search !== '') return // a filter: the screen asks
  whenViewerKnown(
    queryClient,
    user,
    ({ mayPublish }) => mayPublish && void queryClient.prefetchInfiniteQuery(vaultQuery(noFilter)),
  )
}
