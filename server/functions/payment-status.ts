import type { AccountStatus } from '../payments/accounts/accounts.ts'

/** The payment status response (DATA-34). It has the account's id under both names; `restricted` is ours. */
export function paymentStatus({
  accountId,
  onboardingCompleted,
  chargesEnabled,
  payoutsEnabled,
  restricted,
}: AccountStatus) {
  return {
    success: true,
    has_stripe_account: accountId !== null,
    account_id: accountId,
    stripe_account_id: accountId,
    onboarding_completed: onboardingCompleted,
    charges_enabled: chargesEnabled,
    payouts_enabled: payoutsEnabled,
    restricted,
  }
}
