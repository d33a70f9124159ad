import { paymentStatusQuery } from '../../domain/payouts/payment-status-query.ts'
import { requireUser } from '../guards.ts'
import type { LoaderArguments } from '../router.ts'

export { OnboardingScreen as Component } from '../../features/onboarding/onboarding-screen.tsx'

export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  await requireUser(location)
  void queryClient.prefetchQuery(paymentStatusQuery())
}
