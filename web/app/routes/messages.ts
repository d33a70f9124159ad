import { conversationsQuery, personQuery } from '../../domain/messages/queries.ts'
import { requireUser } from '../guards.ts'
import type { LoaderArguments } from '../router.ts'

export { MessagesScreen as Component } from '../../features/messages/messages-screen.tsx'

/** MSG-02 */
export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  await requireUser(location)
  void queryClient.prefetchInfiniteQuery(conversationsQuery(''))
  const address = new URLSearchParams(location.search).get('with')
  if (address) void queryClient.prefetchQuery(personQuery(address))
}
