const tip = 'They lose nothing, because a tip gives no access.'

/** The refund of a payment by its creator or an admin (D40). */
export const refundTexts = {
  open: 'Refund',
  named: (amount: string, name: string) => `Refund ${amount} from ${name}`,
  title: (amount: string, name: string) => `Refund ${amount} to ${name}?`,
  amount: 'They get the full amount back, including the fee.',
  final: "This can't be undone.",
  /** What the refund takes from the fan, by the kind of the payment. `unknown` is for lists that don't say. */
  effects: {
    subscription: {
      ends: 'Their subscription and their access end now.',
      covered: 'They keep their access, because another payment covers it.',
      none: 'Their subscription has already ended.',
      unknown: 'If this is the latest payment for their subscription, the subscription and their access end now.',
    },
    ppv: {
      ends: 'They lose access to the post.',
      covered: 'They keep access to the post, because another payment unlocked it.',
      none: "This payment doesn't give them access to a post.",
      unknown: 'They lose access to the post, unless another payment unlocked it.',
    },
    paid_message: {
      ends: 'The message is locked for them again.',
      covered: 'The message stays unlocked, because another payment unlocked it.',
      none: "This payment doesn't unlock a message for them.",
      unknown: 'The message is locked for them again, unless another payment unlocked it.',
    },
    tip: { ends: tip, covered: tip, none: tip, unknown: tip },
    product: {
      ends: 'They lose access to the product.',
      covered: 'They keep the product, because another payment gave it to them.',
      none: "This payment doesn't give them a product.",
      unknown: 'They lose access to the product, unless another payment gave it to them.',
    },
    private_session: {
      ends: 'The session is canceled.',
      covered: 'No session is canceled.',
      none: 'No session is canceled: none is upcoming for this payment.',
      unknown: 'If the session is upcoming, it is canceled.',
    },
    gift: {
      ends: 'The gift ends now, also for the person who has redeemed it.',
      covered: 'The gift has already ended.',
      none: 'The gift has already ended.',
      unknown: 'The gift ends now, also for the person who has redeemed it.',
    },
  },
  /** After `ends`, when the fan paid twice. */
  otherInstead: 'They paid twice. To let them keep what they paid for, refund the other payment instead.',
  reason: 'Reason',
  reasonHint: 'Saved with the payment',
  reasonMissing: 'Enter a reason',
  confirm: 'Refund',
  done: 'Payment refunded',
  failed: "Couldn't refund the payment",
  turnedDown: 'Refund failed',
} as const

/** In place of the name of a user whose account was deleted. */
export const formerMember = 'Former member'

/** The kinds of `transactions.transaction_type`. */
export const paymentKinds = {
  subscription: 'Subscription',
  ppv: 'Pay-per-view post',
  tip: 'Tip',
  paid_message: 'Paid message',
  private_session: 'Private session',
  gift: 'Gift',
  product: 'Product',
  refund: 'Refund',
  referral_reward: 'Referral reward',
  referral_commission: 'Referral commission',
  payout: 'Payout',
} as const
