import { requireUser } from '../guards.ts'
import type { LoaderArguments } from '../router.ts'

export { SubscriptionSuccessScreen as Component } from '../../features/subscriptions/success-screen.tsx'

export async function loader({ location }: LoaderArguments): Promise<void> {
  await requireUser(location)
}
