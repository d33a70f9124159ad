import { queryOptions } from '@tanstack/react-query'
import { callFunction } from '../../lib/api/functions.ts'

/** DATA-34 */
export type PaymentStatus = {
  has_stripe_account: boolean
  account_id: string | null
  onboarding_completed: boolean
  charges_enabled: boolean
  payouts_enabled: boolean
  /** Stripe has stopped payments, and wants something of the account's holder. */
  restricted: boolean
}

/** What Stripe says of the viewer's payout account (API-FN-05). The server keeps the profile in step with it. */
export const paymentStatusQuery = () =>
  queryOptions({
    queryKey: ['payment-status'],
    // Always asked again: what is shown may have been decided a minute ago in another tab.
    staleTime: 0,
    queryFn: () => callFunction<PaymentStatus>('check-stripe-status'),
  })

/** ONB-06, and what may come later: an account that Stripe has restricted. */
export type SetupState = 'none' | 'created' | 'completed' | 'restricted' | 'ready'

export function setupStateOf(status: PaymentStatus): SetupState {
  if (!status.has_stripe_account) return 'none'
  if (!status.onboarding_completed) return 'created'
  if (status.restricted) return 'restricted'
  return status.charges_enabled && status.payouts_enabled ? 'ready' : 'completed'
}
