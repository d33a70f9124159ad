import { paymentTexts } from '@ovation/contract/texts/payments'
import { GatewayError } from '../http/errors.ts'

/** What payments refuse, whoever asks. Sentences are shown to people as they are. */
export const paymentErrors = {
  planNotFound: () => new GatewayError(404, 'plan_not_found', paymentTexts.planNotFound),
  planInactive: () => new GatewayError(409, 'plan_inactive', paymentTexts.planInactive),
  planWithoutPayments: () => new GatewayError(409, 'creator_without_payments', paymentTexts.planWithoutPayments),
  creatorNotFound: () => new GatewayError(404, 'creator_not_found', paymentTexts.creatorNotFound),
  ownPlan: () => new GatewayError(409, 'own_plan', paymentTexts.ownPlan),
  alreadySubscribed: () => new GatewayError(409, 'already_subscribed', paymentTexts.alreadySubscribed),
  switchInstead: () => new GatewayError(409, 'switch_instead', paymentTexts.switchInstead),
  approvedCreatorsOnly: () => new GatewayError(403, 'not_approved', paymentTexts.approvedCreatorsOnly),
  onboardingFirst: () => new GatewayError(409, 'onboarding_first', paymentTexts.onboardingFirst),
  accountMissing: () => new GatewayError(404, 'account_missing', paymentTexts.accountMissing),
  accountTaken: () => new GatewayError(409, 'account_taken', paymentTexts.accountTaken),
  accountOther: () => new GatewayError(409, 'account_exists', paymentTexts.accountOther),
  connectNotConfigured: () => new GatewayError(409, 'connect_not_configured', paymentTexts.connectNotConfigured),
  postNotFound: () => new GatewayError(404, 'post_not_found', paymentTexts.postNotFound),
  postOpen: () => new GatewayError(409, 'post_open', paymentTexts.postOpen),
  paymentNotFound: () => new GatewayError(404, 'payment_not_found', paymentTexts.paymentNotFound),
  messageNotFound: () => new GatewayError(404, 'message_not_found', paymentTexts.messageNotFound),
  subscriptionNotFound: () => new GatewayError(404, 'subscription_not_found', paymentTexts.subscriptionNotFound),
  subscriptionEnded: () => new GatewayError(409, 'subscription_ended', paymentTexts.subscriptionEnded),
  switchNotPaid: () => new GatewayError(409, 'switch_not_paid', paymentTexts.switchNotPaid),
  switchTooCheap: () => new GatewayError(409, 'switch_too_cheap', paymentTexts.switchTooCheap),
  cardDeclined: (cause: unknown) => new GatewayError(402, 'card_declined', paymentTexts.cardDeclined, { cause }),
  cardNotFound: () => new GatewayError(404, 'card_not_found', paymentTexts.cardNotFound),
  cardInUse: () => new GatewayError(409, 'card_in_use', paymentTexts.cardInUse),
  alreadyRefunded: () => new GatewayError(409, 'already_refunded', paymentTexts.alreadyRefunded),
  notRefundable: () => new GatewayError(409, 'not_refundable', paymentTexts.notRefundable),
} as const
