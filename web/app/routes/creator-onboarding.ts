import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router'
import { paymentStatusQuery } from '../../features/onboarding/queries.ts'
import { requireUser } from '../guards.ts'

export { OnboardingScreen as Component } from '../../features/onboarding/onboarding-screen.tsx'

export const loader =
  (queryClient: QueryClient) =>
  async ({ request }: LoaderFunctionArgs) => {
    await requireUser(request)
    void queryClient.prefetchQuery(paymentStatusQuery())
    return null
  }
