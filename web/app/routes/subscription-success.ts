import type { LoaderFunctionArgs } from 'react-router'
import { requireUser } from '../guards.ts'

export { SubscriptionSuccessScreen as Component } from '../../features/subscriptions/success-screen.tsx'

export const loader =
  () =>
  async ({ request }: LoaderFunctionArgs) => {
    await requireUser(request)
    return null
  }
