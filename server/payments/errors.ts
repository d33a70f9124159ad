import { paymentTexts } from '@ovation/contract/texts/payments'
import { GatewayError } from '../http/errors.ts'

/** The errors of payments, for every API that uses them. Users see the sentences as they are. */
export const paymentErrors = {
  planNotFound: () => new GatewayError(404, 'plan_not_found', paymentTexts.planNotFound),
  creatorNotFound: () => new GatewayError(404, 'creator_not_found', paymentTexts.creatorNotFound),
  termsNeedMonths: () => new GatewayError(422, 'terms_need_months', paymentTexts.termsNeedMonths),
  alreadySubscribed: () => new GatewayError(409, 'already_subscribed', paymentTexts.alreadySubscribed),
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
  productNotFound: () => new GatewayError(404, 'product_not_found', paymentTexts.productNotFound),
  subscriptionNotFound: () => new GatewayError(404, 'subscription_not_found', paymentTexts.subscriptionNotFound),
  subscriptionEnded: () => new GatewayError(409, 'subscription_ended', paymentTexts.subscriptionEnded),
  renewalHeld: () => new GatewayError(409, 'renewal_held', paymentTexts.renewalHeld),
  switchNotPaid: () => new GatewayError(409, 'switch_not_paid', paymentTexts.switchNotPaid),
  switchPaused: () => new GatewayError(409, 'switch_paused', paymentTexts.switchPaused),
  switchTooCheap: () => new GatewayError(409, 'switch_too_cheap', paymentTexts.switchTooCheap),
  cardDeclined: (cause: unknown) => new GatewayError(402, 'card_declined', paymentTexts.cardDeclined, { cause }),
  cardNotFound: () => new GatewayError(404, 'card_not_found', paymentTexts.cardNotFound),
  cardInUse: () => new GatewayError(409, 'card_in_use', paymentTexts.cardInUse),
  promotionNotFound: () => new GatewayError(404, 'promotion_not_found', paymentTexts.promotionNotFound),
  promotionUsedUp: () => new GatewayError(409, 'promotion_used_up', paymentTexts.promotionUsedUp),
  promotionTaken: () => new GatewayError(409, 'promotion_taken', paymentTexts.promotionTaken),
  promotionTooCheap: () => new GatewayError(422, 'promotion_too_cheap', paymentTexts.promotionTooCheap),
  switchDiscounted: () => new GatewayError(409, 'switch_discounted', paymentTexts.switchDiscounted),
  alreadyRefunded: () => new GatewayError(409, 'already_refunded', paymentTexts.alreadyRefunded),
  /** 409: the next click finds out the result, and pays nothing twice. */
  paymentPending: (cause?: unknown) =>
    new GatewayError(409, 'payment_pending', paymentTexts.paymentPending, cause === undefined ? {} : { cause }),
  /** Of a webhook. */
  badSignature: (reason: string) => new GatewayError(400, 'bad_signature', reason),
  notRefundable: () => new GatewayError(409, 'not_refundable', paymentTexts.notRefundable),
} as const
