import { promotionForm } from './promotion-codes.ts'

/** Sentences of the payment functions (ONB, PROD, SUB). The server answers with them, and a screen may show them as they are. */
export const paymentTexts = {
  /** GEN-40: what a signed-out attempt is told. */
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
  planNotFound: 'This plan does not exist any more',
  planInactive: 'This plan is not offered any more',
  planWithoutPayments: 'This creator cannot take payments right now',
  ownPlan: 'You cannot subscribe to your own plan',
  alreadySubscribed: 'You are already subscribed to this plan',
  /** SUB-04: a second plan of the same creator would be paid twice. */
  switchInstead: 'You already have a plan of this creator. Switch your plan instead of buying a second one.',
  /** POST-45, PROF-21, D28 */
  postNotFound: 'This post does not exist any more, or is not for sale',
  postOpen: 'You can already see this post',
  priceIsFixed: 'This price is set by its creator',
  tipRange: 'A tip is between $1.00 and $500.00',
  paymentNotFound: 'Payment not found',
  /** MSG-08 */
  messageNotFound: 'This message does not exist any more, or is not for sale',
  /** SUB-04, SUB-05 */
  subscriptionNotFound: 'This subscription does not exist any more',
  subscriptionEnded: 'This subscription has ended. Subscribe again to come back.',
  renewalHeld: "This subscription can't be renewed right now. You keep access for the time you paid for.",
  switchNotPaid: 'The last payment for this plan did not go through. Update your card before you switch.',
  switchTooCheap:
    'You have already paid more than this plan costs. Cancel your plan, and subscribe to this one when it has ended.',
  cardDeclined: 'Your card was declined. Nothing was charged, and your plan stays as it is.',
  promotionNotFound: 'This code does not hold for this plan, or not any more',
  promotionExpired: 'This code has expired',
  promotionUsedUp: 'This code has been used as often as it could be',
  promotionTaken: 'You already have an active code with this name',
  promotionTooCheap: 'This would leave a plan at less than 50 cents. Take off less, or all of it.',
  promotionForm,
  switchDiscounted: 'Your plan has a discount. Switch when it has ended, or cancel and subscribe anew.',
  /** D40 */
  cardNotFound: 'This card is not saved any more',
  cardInUse: 'A subscription is paid with this card. Choose another card on your billing page first.',
  alreadyRefunded: 'This payment was refunded already',
  paymentPending:
    "Your payment is still being processed. You won't be charged twice. Look at your payments in a minute before you try again.",
  notRefundable: 'This payment cannot be refunded',
  /** ONB-17 */
  accountExists: 'You already have a payout account',
  accountMissing: 'No payout account was found. Create one first.',
  accountTaken: 'This Stripe account already belongs to another creator',
  accountOther: 'You already have another payout account',
  /** ONB-18: Stripe's own feature has to be turned on by the operator, once. */
  connectNotEnabled: {
    message: 'Stripe Connect is not enabled for this platform yet',
    instructions: 'The operator has to enable Connect in the Stripe Dashboard, then you can try again.',
    learnMoreUrl: 'https://dashboard.stripe.com/connect',
  },
  connectNotConfigured: 'Connecting an existing Stripe account is not set up here: STRIPE_CLIENT_ID is missing',
  connectStateInvalid: 'This link to Stripe has expired or was made for another account. Start again.',
  connectCodeInvalid: 'Stripe did not accept this connection. Start again.',
  foreignOrigin: 'The origin must be the address of this site',
  providerUnavailable: 'The payment provider does not answer right now. Nothing was charged. Try again in a moment.',
  providerRefused: 'The payment provider refused this request. Nothing was charged.',
} as const
