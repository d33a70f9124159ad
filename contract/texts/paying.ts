/** Paying once: pay-per-view posts, tips, paid messages and private sessions (POST-45, PROF-21, MSG-08, PRIV-03, D28). */
export const payingTexts = {
  /** A checkout could not be opened. */
  error: 'Payment Error',
  checking: 'Confirming your payment…',
  opened: 'Payment confirmed. The post is open to you now.',
  unlocked: 'Payment confirmed. The message is open to you now.',
  booked: 'Payment confirmed. The creator has your request, and you hear as soon as it is answered.',
  tipped: (amount: string) => `Thank you! Your tip of ${amount} was sent.`,
  notCompleted: 'This payment was not completed. Nothing was charged.',
  unconfirmed: 'Your payment could not be confirmed yet. If you paid, it is not lost: try again in a moment.',
  tip: {
    open: 'Tip',
    title: (name: string) => `Tip ${name}`,
    presets: 'Suggested amounts',
    amount: 'Amount in USD',
    hint: 'From $1.00 to $500.00',
    wrong: 'Enter an amount from $1.00 to $500.00',
    submit: 'Continue',
  },
} as const
