import { callServers } from './call-servers.ts'
import { cancelSubscription } from './cancel-subscription.ts'
import { changePlanPrice } from './change-plan-price.ts'
import { checkProfileLink } from './check-profile-link.ts'
import { checkPromotionCode } from './check-promotion-code.ts'
import { checkStripeStatus } from './check-stripe-status.ts'
import { createMarketplacePayment } from './create-marketplace-payment.ts'
import { createOnboardingLink } from './create-onboarding-link.ts'
import { createPaymentCheckout } from './create-payment-checkout.ts'
import { createPortalSession } from './create-portal-session.ts'
import { createPromotionCode } from './create-promotion-code.ts'
import { createStripeAccount } from './create-stripe-account.ts'
import { createStripeConnectUrl } from './create-stripe-connect-url.ts'
import { createSubscriptionCheckout } from './create-subscription-checkout.ts'
import { createSubscriptionProduct } from './create-subscription-product.ts'
import type { ServerFunction } from './define.ts'
import { deleteOwnAccount } from './delete-own-account.ts'
import { deleteUserAccount } from './delete-user-account.ts'
import { exportOwnData } from './export-own-data.ts'
import { exportStatement } from './export-statement.ts'
import { getPayoutBalance } from './get-payout-balance.ts'
import { getSystemHealth } from './get-system-health.ts'
import { handleStripeConnectCallback } from './handle-stripe-connect-callback.ts'
import { listPromotionCodes } from './list-promotion-codes.ts'
import { listCards } from './list-saved-cards.ts'
import { endPause, pauseSubscription } from './pause-subscription.ts'
import { reconcilePayments } from './reconcile-payments.ts'
import { refreshSubscriptionStatus } from './refresh-subscription-status.ts'
import { refundPayment } from './refund-payment.ts'
import { removeCard } from './remove-saved-card.ts'
import { resumeSubscription } from './resume-subscription.ts'
import { retirePromotionCode } from './retire-promotion-code.ts'
import { retryJob } from './retry-job.ts'
import { saveCard } from './save-card.ts'
import { stripeTestConnection } from './stripe-test-connection.ts'
import { switchSubscription } from './switch-subscription.ts'
import { testPlatformFees } from './test-platform-fees.ts'
import { updateSubscriptionProduct } from './update-subscription-product.ts'
import { updateUserEmail } from './update-user-email.ts'
import { verifyCustomDomain } from './verify-custom-domain.ts'
import { verifyPayment } from './verify-payment.ts'
import { verifySubscription } from './verify-subscription.ts'

/** Every function that clients may call, by name (API-FN). */
export const functions: readonly ServerFunction[] = [
  callServers,
  cancelSubscription,
  changePlanPrice,
  checkProfileLink,
  checkPromotionCode,
  checkStripeStatus,
  createMarketplacePayment,
  createOnboardingLink,
  createPaymentCheckout,
  createPortalSession,
  createPromotionCode,
  createStripeAccount,
  createStripeConnectUrl,
  createSubscriptionCheckout,
  createSubscriptionProduct,
  deleteOwnAccount,
  deleteUserAccount,
  exportOwnData,
  exportStatement,
  getSystemHealth,
  getPayoutBalance,
  handleStripeConnectCallback,
  listCards,
  listPromotionCodes,
  reconcilePayments,
  refreshSubscriptionStatus,
  refundPayment,
  removeCard,
  resumeSubscription,
  retryJob,
  retirePromotionCode,
  saveCard,
  stripeTestConnection,
  pauseSubscription,
  endPause,
  switchSubscription,
  testPlatformFees,
  updateSubscriptionProduct,
  updateUserEmail,
  verifyCustomDomain,
  verifyPayment,
  verifySubscription,
]
