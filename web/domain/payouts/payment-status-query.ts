import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '../../lib/api/functions.ts'

/** DATA-34 */
export type PaymentStatus = {
  has_stripe_account: boolean
  account_id: string | null
  onboarding_completed: boolean
  charges_enabled: boolean
  payouts_enabled: boolean
  /** Stripe has stopped payments and needs something from the account's owner. */
  restricted: boolean
}

/** The state of the viewer's payout account at Stripe (API-FN-05). The server keeps the profile in sync. */
export const paymentStatusQuery = () =>
  queryOptions({
    queryKey: ['payment-status'],
    // Always refetched: another tab may have changed it.
    staleTime: 0,
    queryFn: () => callFunction<PaymentStatus>('check-stripe-status'),
  })

/** ONB-06, plus `restricted`, which can happen later. */
export type SetupState = 'none' | 'created' | 'completed' | 'restricted' | 'ready'

export function setupStateOf(status: PaymentStatus): SetupState {
  if (!status.has_stripe_account) return 'none'
  if (!status.onboarding_completed) return 'created'
  if (status.restricted) return 'restricted'
  return status.charges_enabled && status.payouts_enabled ? 'ready' : 'completed'
}
