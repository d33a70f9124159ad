import { mySubscriptionsQuery } from '../../domain/subscriptions/my-subscriptions.ts'
import { requireUser, whenViewerKnown } from '../guards.ts'
import type { LoaderArguments } from '../router.ts'

export { MySubscriptionsScreen as Component } from '../../features/subscriptions/my-subscriptions-screen.tsx'

export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  const user = await requireUser(location)
  whenViewerKnown(queryClient, user, ({ profileId }) => void queryClient.prefetchQuery(mySubscriptionsQuery(profileId)))
}
