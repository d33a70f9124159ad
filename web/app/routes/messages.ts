import { conversationsQuery, personQuery, wholeInbox } from '../../domain/messages/queries.ts'
import { requireUser } from '../guards.ts'
import type { LoaderArguments } from '../router.ts'

export { MessagesScreen as Component } from '../../features/messages/messages-screen.tsx'

/** MSG-02 */
export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  await requireUser(location)
  void queryClient.prefetchInfiniteQuery(conversationsQuery(wholeInbox))
  const address = new URLSearchParams(location.search).get('with')
  if (!address) return
  void queryClient.prefetchQuery(personQuery(address))
  void import('../../features/messages/opened-thread.tsx').catch(() => undefined) // the screen says so
}
