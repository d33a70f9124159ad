/** The refund of a payment by its creator or an admin (D40). */
export const refundTexts = {
  open: 'Refund',
  named: (amount: string, name: string) => `Refund ${amount} from ${name}`,
  title: (amount: string, name: string) => `Refund ${amount} to ${name}?`,
  message:
    "They get the full amount back, including the fee. They lose access to the purchase, and any subscription ends. This can't be undone.",
  reason: 'Reason',
  reasonHint: 'Saved with the payment',
  reasonMissing: 'Enter a reason',
  confirm: 'Refund',
  done: 'Refund started',
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
  refund: 'Refund',
  referral_reward: 'Referral reward',
  referral_commission: 'Referral commission',
  payout: 'Payout',
} as const
