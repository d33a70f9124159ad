import { promotionForm } from './promotion-codes.ts'

/** Messages of the payment functions (ONB, PROD, SUB). Screens show them unchanged. */
export const paymentTexts = {
  /** GEN-40: shown to visitors who try to pay. */
  signInRequired: 'Sign In Required',
  /** PROD-03 */
  requiredFields: 'Please fill in all required fields',
  /** PROD-05 */
  priceTooLow: 'The price must be at least $1.00',
  priceTooHigh: 'The price can be at most $9,999.99',
  /** PROD-08 */
  onboardingFirst: 'Please complete Stripe onboarding before creating products',
  /** D25 */
  approvedCreatorsOnly: 'Only approved creators can sell subscriptions',
  /** SUB-06 */
  creatorNotFound: 'Creator not found',
  planNotFound: 'This plan no longer exists',
  /** OFFER-01 */
  termsNeedMonths: 'Only monthly plans can be sold for several months',
  alreadySubscribed: "You're already subscribed to this plan",
  /** POST-45, PROF-21, D28 */
  postNotFound: "This post no longer exists or isn't for sale",
  postOpen: 'You can already see this post',
  priceIsFixed: 'The creator sets this price',
  tipRange: 'Tips must be between $1.00 and $500.00',
  paymentNotFound: 'Payment not found',
  /** MSG-08 */
  messageNotFound: "This message no longer exists or isn't for sale",
  /** OFFER-05 */
  productNotFound: "This product isn't for sale",
  productAmountRange: 'You can pay between $1.00 and $9,999.99',
  /** SUB-04, SUB-05 */
  subscriptionNotFound: 'This subscription no longer exists',
  subscriptionEnded: 'This subscription has ended. Subscribe again to get access.',
  renewalHeld: "This subscription can't be renewed right now. You keep access for the time you paid for.",
  switchNotPaid: "Your last payment for this plan didn't go through. Update your card before you switch.",
  switchPaused: 'This subscription is paused. You can switch plans once it renews again.',
  switchTooCheap:
    "You've already paid more than this plan costs. Cancel your current plan, then subscribe to this one when it ends.",
  cardDeclined: "Your card was declined. You weren't charged, and your plan stays the same.",
  promotionNotFound: "This code isn't valid for this plan",
  promotionUsedUp: 'This code has reached its usage limit',
  promotionTaken: 'You already have an active code with this name',
  promotionTooCheap: 'This would price a plan below 50 cents. Use a smaller discount, or 100%.',
  promotionForm,
  switchDiscounted: 'Your plan has a discount. Switch when it ends, or cancel and subscribe again.',
  /** D40 */
  cardNotFound: 'This card is no longer saved',
  cardInUse: 'A subscription uses this card. Choose another card on your billing page first.',
  alreadyRefunded: 'This payment was already refunded',
  paymentPending:
    "Your payment is still processing. You won't be charged twice. Check your payments in a minute before you try again.",
  notRefundable: "This payment can't be refunded",
  /** ONB-17 */
  accountExists: 'You already have a payout account',
  accountMissing: "You don't have a payout account yet. Create one first.",
  accountTaken: 'This Stripe account already belongs to another creator',
  accountOther: 'You already have another payout account',
  /** ONB-18: the operator has to enable the feature at Stripe once. */
  connectNotEnabled: {
    message: "Stripe Connect isn't enabled for this site yet",
    instructions: 'Ask the operator to enable Connect in the Stripe Dashboard, then try again.',
    learnMoreUrl: 'https://dashboard.stripe.com/connect',
  },
  connectNotConfigured:
    "Connecting an existing Stripe account isn't set up on this site. The operator needs to set STRIPE_CLIENT_ID.",
  connectStateInvalid: 'This Stripe link has expired or belongs to another account. Start again.',
  connectCodeInvalid: "Stripe didn't accept this connection. Start again.",
  foreignOrigin: "The origin must be this site's URL",
  providerUnavailable: "The payment provider isn't responding. You weren't charged. Try again in a moment.",
  providerRefused: "The payment provider rejected this request. You weren't charged.",
} as const
